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

  /** The window with that label. */
  public Optional<EvidenceWindow> find(String label) {
    return windows.stream().filter(window -> window.label().equals(label)).findFirst();
  }
}
