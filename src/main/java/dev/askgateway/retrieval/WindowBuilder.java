package dev.askgateway.retrieval;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.store.SearchRepository.Neighbourhood;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Makes windows of neighbourhoods. Those that share a message become one while that stays inside the
 * bounds; no message is in two windows.
 */
final class WindowBuilder {
  private static final Comparator<EvidenceMessage> IN_ORDER = Comparator.comparing(
          EvidenceMessage::timestamp)
      .thenComparing(message -> message.id().toString());

  private final int maxMessages;
  private final int maxChars;

  WindowBuilder(RetrievalConfig config) {
    maxMessages = config.windowMessages();
    maxChars = config.windowChars();
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
        windows.add(bound(fresh));
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
        if (all.size() <= maxMessages && chars(all) <= maxChars) {
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

  private static int chars(List<EvidenceMessage> messages) {
    return messages.stream().mapToInt(message -> message.text().length()).sum();
  }

  /** Leaves out the messages farthest from the anchor; the anchor always stays. */
  private Neighbourhood bound(Neighbourhood window) {
    List<EvidenceMessage> messages = window.messages();
    int anchor = anchorIndex(window);
    int from = anchor;
    int to = anchor + 1;
    boolean grown = true;
    while (grown) {
      grown = false;
      if (from > 0 && fits(messages.subList(from - 1, to))) {
        from--;
        grown = true;
      }
      if (to < messages.size() && fits(messages.subList(from, to + 1))) {
        to++;
        grown = true;
      }
    }
    return with(window, messages.subList(from, to));
  }

  private boolean fits(List<EvidenceMessage> messages) {
    return messages.size() <= maxMessages && chars(messages) <= maxChars;
  }

  private static int anchorIndex(Neighbourhood window) {
    for (int i = 0; i < window.messages().size(); i++) {
      if (window.messages().get(i).id().equals(window.anchorId())) {
        return i;
      }
    }
    throw new IllegalStateException("a window without its anchor");
  }

  private static Neighbourhood with(Neighbourhood head, List<EvidenceMessage> messages) {
    return new Neighbourhood(
        head.anchorId(), head.chatId(), head.chatName(), head.platform(), head.isGroup(), messages);
  }
}
