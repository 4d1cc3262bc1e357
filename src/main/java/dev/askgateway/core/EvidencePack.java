package dev.askgateway.core;

import java.util.List;
import java.util.Optional;

/**
 * What retrieval found, bounded: at most four windows. Empty means nothing was over the floor.
 *
 * @param degraded codes of legs that failed and were left out ("vector", "lexical"), for metrics
 */
public record EvidencePack(List<EvidenceWindow> windows, List<String> degraded) {
  /** Most windows of a pack (spec E8). */
  public static final int MAX_WINDOWS = 4;

  public static final EvidencePack NONE = new EvidencePack(List.of(), List.of());

  public EvidencePack {
    windows = List.copyOf(windows);
    degraded = List.copyOf(degraded);
    if (windows.size() > MAX_WINDOWS) {
      throw new IllegalArgumentException("at most " + MAX_WINDOWS + " windows");
    }
  }

  public boolean isEmpty() {
    return windows.isEmpty();
  }

  /** Whether one message was found in all: little to rest an answer on (spec E16). */
  public boolean isThin() {
    return windows.stream()
            .flatMap(window -> window.messages().stream())
            .filter(EvidenceMessage::hit)
            .limit(2)
            .count()
        == 1;
  }

  /** The window with that label. */
  public Optional<EvidenceWindow> find(String label) {
    return windows.stream().filter(window -> window.label().equals(label)).findFirst();
  }
}
