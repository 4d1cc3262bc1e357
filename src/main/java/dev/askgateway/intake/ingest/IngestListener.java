package dev.askgateway.intake.ingest;

import dev.askgateway.store.IngestRepository.Outcome;
import java.util.List;

/** Hears what became of the lines of imports: counts, never content. Must not block. */
public interface IngestListener {

  /** Nobody listens. */
  IngestListener NONE = new IngestListener() {
    @Override
    public void written(List<Outcome> outcomes) {}

    @Override
    public void rejected(long lines) {}
  };

  /** One batch is stored, whatever becomes of the rest of its import. */
  void written(List<Outcome> outcomes);

  /** An import was read to its end, and so many of its lines were refused. */
  void rejected(long lines);
}
