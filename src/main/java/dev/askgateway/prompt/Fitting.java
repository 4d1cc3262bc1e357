package dev.askgateway.prompt;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Prompt.Message;
import dev.askgateway.core.TokenMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Evidence and turns, cut to some tokens. What goes, in this order: the oldest turns above a third of
 * the room; the outer messages of the longest windows; the other turns, the oldest first; the ends of
 * anchors' texts; the worst windows. The best window always stays.
 */
final class Fitting {
  /** Most of the room that turns have while evidence could use it. */
  private static final int SHARE_OF_TURNS = 3;

  /** What is left of an anchor's text before a window is given up, and of the last one, characters. */
  private static final int SHORT = 240;

  private static final int SHORTEST = 60;

  private final EvidenceText text;
  private final TokenMeter meter;
  private final Map<String, Long> counted = new HashMap<>();
  private final List<EvidenceWindow> windows;
  private final List<Long> costs = new ArrayList<>();
  private final List<Message> turns;
  private long ofWindows;
  private long ofTurns;

  /** @param windows with harmless texts, the best first */
  Fitting(EvidenceText text, TokenMeter meter, List<EvidenceWindow> windows, List<Message> turns) {
    this.text = text;
    this.meter = meter;
    this.windows = new ArrayList<>(windows);
    this.turns = new ArrayList<>(turns);
    windows.forEach(window -> costs.add(cost(window)));
    ofWindows = costs.stream().mapToLong(Long::longValue).sum();
    ofTurns = turns.stream().mapToLong(this::cost).sum();
  }

  List<EvidenceWindow> windows() {
    return windows;
  }

  List<Message> turns() {
    return turns;
  }

  /** Cuts to so many tokens. */
  void to(long room) {
    while (over(room) && ofTurns > room / SHARE_OF_TURNS && !turns.isEmpty()) {
      forgetOldest();
    }
    cut(room, this::withoutOuter);
    while (over(room) && !turns.isEmpty()) {
      forgetOldest();
    }
    cut(room, () -> shorter(SHORT));
    while (over(room) && windows.size() > 1) {
      ofWindows -= costs.remove(windows.size() - 1);
      windows.remove(windows.size() - 1);
    }
    cut(room, () -> shorter(SHORTEST));
  }

  private void cut(long room, BooleanSupplier step) {
    boolean more = true;
    while (more && over(room)) {
      more = step.getAsBoolean();
    }
  }

  private boolean over(long room) {
    return ofWindows + ofTurns > room;
  }

  private void forgetOldest() {
    ofTurns -= cost(turns.remove(0));
  }

  /** Takes a message from the window that has most tokens of those with more than their anchor. */
  private boolean withoutOuter() {
    int longest = -1;
    for (int i = 0; i < windows.size(); i++) {
      if (windows.get(i).messages().size() > 1
          && (longest < 0 || costs.get(i) > costs.get(longest))) {
        longest = i;
      }
    }
    if (longest < 0) {
      return false;
    }
    EvidenceWindow window = windows.get(longest);
    EvidenceMessage outer = outer(window);
    replace(
        longest,
        window.messages().stream().filter(message -> !message.equals(outer)).toList());
    return true;
  }

  /** The end that is farther from anything found; of equal ends that farther from the anchor, then the older. */
  private static EvidenceMessage outer(EvidenceWindow window) {
    List<EvidenceMessage> messages = window.messages();
    int anchor = messages.indexOf(window.anchor());
    int last = messages.size() - 1;
    int first = 0;
    while (first < anchor && !messages.get(first).hit()) {
      first++;
    }
    int after = 0;
    while (last - after > anchor && !messages.get(last - after).hit()) {
      after++;
    }
    boolean older = first == after ? anchor >= last - anchor : first > after;
    return messages.get(older ? 0 : last);
  }

  /** Halves the longest anchor, down to so many characters. */
  private boolean shorter(int least) {
    int longest = 0;
    for (int i = 1; i < windows.size(); i++) {
      if (length(i) > length(longest)) {
        longest = i;
      }
    }
    if (windows.isEmpty() || length(longest) <= least) {
      return false;
    }
    EvidenceMessage anchor = windows.get(longest).anchor();
    int chars = Math.max(least, anchor.text().length() / 2);
    replace(longest, List.of(Untrusted.shortened(anchor, chars)));
    return true;
  }

  private int length(int window) {
    return windows.get(window).anchor().text().length();
  }

  private void replace(int at, List<EvidenceMessage> messages) {
    EvidenceWindow old = windows.get(at);
    EvidenceWindow window = new EvidenceWindow(
        old.label(),
        old.anchorId(),
        old.chatId(),
        old.chatName(),
        old.platform(),
        old.isGroup(),
        old.isPreferred(),
        messages,
        old.note());
    long cost = cost(window);
    windows.set(at, window);
    ofWindows += cost - costs.set(at, cost);
  }

  private long cost(EvidenceWindow window) {
    return text.lines(window).stream().mapToLong(this::tokens).sum();
  }

  private long cost(Message turn) {
    return tokens(turn.content()) + TokenMeter.OF_MESSAGE;
  }

  private long tokens(String piece) {
    return counted.computeIfAbsent(piece, meter::tokens);
  }
}
