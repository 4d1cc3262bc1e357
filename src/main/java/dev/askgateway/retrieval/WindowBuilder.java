package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

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

  /** Of equal ones the newest. */
  private static final Comparator<Place> MOST_WORTH = Comparator.comparingDouble(Place::worth)
      .thenComparing(Place::message, IN_ORDER)
      .reversed();

  /** Characters of what a prompt writes around a message: its time and its sender. */
  private static final int AROUND = 75;

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
