package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Makes windows of neighbourhoods. Those that share a message become one while that stays inside the
 * bound; no message is in two windows. What a pack shows of them is chosen over all its windows at once,
 * so that a talk in which much was found is shown further than one with a single hit.
 */
final class WindowBuilder {
  private static final Comparator<EvidenceMessage> IN_ORDER = Comparator.comparing(
          EvidenceMessage::timestamp)
      .thenComparing(message -> message.id().toString());

  /** A message that may be shown in a window. */
  private record Place(Neighbourhood window, EvidenceMessage message, double worth) {}

  /** Two windows of one chat. */
  private record Pair(Neighbourhood better, Neighbourhood other, Duration apart) {}

  /** Of equal ones the newest. */
  private static final Comparator<Place> MOST_WORTH = Comparator.comparingDouble(Place::worth)
      .thenComparing(Place::message, IN_ORDER)
      .reversed();

  /** Characters of what a prompt writes around a message: its time and its sender. */
  private static final int AROUND = 75;

  /** What lies further apart in a chat is no longer the same matter. */
  private static final Duration APART = Duration.ofDays(30);

  private final int maxMessages;
  private final int packChars;

  WindowBuilder(RetrievalConfig config) {
    maxMessages = config.windowMessages();
    packChars = EvidencePack.MAX_WINDOWS * config.windowChars();
  }

  /** Windows in the order of their anchors, which come best first: a window keeps its best anchor. */
  List<Neighbourhood> merge(List<Neighbourhood> ranked) {
    List<Neighbourhood> windows = new ArrayList<>();
    Set<UUID> taken = new HashSet<>();
    for (Neighbourhood next : ranked) {
      boolean covered = taken.contains(next.anchorId());
      Neighbourhood fresh = with(
          next,
          next.messages().stream()
              .filter(message -> !taken.contains(message.id()))
              .toList());
      boolean joined = join(windows, next, fresh.messages());
      if (!joined && !covered) {
        windows.add(fresh);
      }
      windows.forEach(window -> window.messages().forEach(message -> taken.add(message.id())));
    }
    return windows;
  }

  private boolean join(
      List<Neighbourhood> windows, Neighbourhood next, List<EvidenceMessage> fresh) {
    for (int i = 0; i < windows.size(); i++) {
      Neighbourhood window = windows.get(i);
      if (touch(window, next)) {
        List<EvidenceMessage> all = new ArrayList<>(window.messages());
        all.addAll(fresh);
        if (all.size() <= maxMessages) {
          all.sort(IN_ORDER);
          windows.set(i, with(window, all));
          return true;
        }
      }
    }
    return false;
  }

  /**
   * No more windows than a pack has, as far as talks of one chat go on with a matter: the two nearest become
   * one until few enough are left. What lies between them is in neither. Two far places of one talk are two
   * matters, of which the better is shown further instead.
   *
   * @param windows of {@link #merge}, the best first
   */
  List<Neighbourhood> few(List<Neighbourhood> windows) {
    List<Neighbourhood> left = new ArrayList<>(windows);
    while (left.size() > EvidencePack.MAX_WINDOWS) {
      Optional<Pair> next = nearest(left);
      if (next.isEmpty()) {
        break;
      }
      Pair pair = next.get();
      List<EvidenceMessage> all = new ArrayList<>(pair.better().messages());
      all.addAll(pair.other().messages());
      all.sort(IN_ORDER);
      left.set(left.indexOf(pair.better()), with(pair.better(), all));
      left.remove(pair.other());
    }
    return left;
  }

  private static Optional<Pair> nearest(List<Neighbourhood> windows) {
    return IntStream.range(0, windows.size())
        .boxed()
        .flatMap(i -> windows.subList(i + 1, windows.size()).stream()
            .filter(other -> other.chatId().equals(windows.get(i).chatId()))
            .map(other -> new Pair(windows.get(i), other, apart(windows.get(i), other))))
        .filter(pair -> pair.apart().compareTo(Talks.PAUSE) > 0)
        .filter(pair -> pair.apart().compareTo(APART) < 0)
        .min(Comparator.comparing(Pair::apart));
  }

  /** From the end of the earlier to the begin of the later. */
  private static Duration apart(Neighbourhood one, Neighbourhood other) {
    Duration after = Duration.between(end(one), begin(other));
    Duration before = Duration.between(end(other), begin(one));
    return after.compareTo(before) > 0 ? after : before;
  }

  private static Instant begin(Neighbourhood window) {
    return window.messages().get(0).timestamp();
  }

  private static Instant end(Neighbourhood window) {
    return window.messages().get(window.messages().size() - 1).timestamp();
  }

  private static boolean touch(Neighbourhood one, Neighbourhood other) {
    return one.chatId().equals(other.chatId())
        && one.messages().stream().anyMatch(mine -> other.messages().stream()
            .anyMatch(theirs -> theirs.id().equals(mine.id())));
  }

  /**
   * The windows with the messages that a pack has room for: every anchor, then what is worth most,
   * whichever window it is of. What is worth nothing stays out; what lies between may be missing.
   */
  List<Neighbourhood> fit(List<Neighbourhood> chosen, Worth worth) {
    Set<UUID> shown = new HashSet<>();
    long chars = 0;
    List<Place> places = new ArrayList<>();
    for (Neighbourhood window : chosen) {
      Map<UUID, Double> values = worth.ofMessages(window);
      for (EvidenceMessage message : window.messages()) {
        if (message.id().equals(window.anchorId())) {
          shown.add(message.id());
          chars += cost(message);
        } else {
          places.add(new Place(window, message, values.getOrDefault(message.id(), 0.0)));
        }
      }
    }
    places.sort(MOST_WORTH);
    Map<UUID, Integer> sizes = new HashMap<>();
    for (Place place : places) {
      long all = chars + cost(place.message());
      int size = sizes.getOrDefault(place.window().anchorId(), 1);
      if (place.worth() > 0 && all <= packChars && size < maxMessages) {
        shown.add(place.message().id());
        sizes.put(place.window().anchorId(), size + 1);
        chars = all;
      }
    }
    return chosen.stream()
        .map(window -> with(
            window,
            window.messages().stream()
                .filter(message -> shown.contains(message.id()))
                .toList()))
        .toList();
  }

  private static int cost(EvidenceMessage message) {
    return message.text().length() + AROUND;
  }

  private static Neighbourhood with(Neighbourhood head, List<EvidenceMessage> messages) {
    return new Neighbourhood(
        head.anchorId(), head.chatId(), head.chatName(), head.platform(), head.isGroup(), messages);
  }
}
