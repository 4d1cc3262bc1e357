package dev.askgateway.provider.byok;

import dev.askgateway.provider.byok.SecretBox.CannotOpen;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.ConnectionRepository.Found;
import dev.askgateway.store.ConnectionRepository.Place;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals every secret with the current key, so that an old key can be taken out of the configuration. A
 * page of rows at a time, one after the other; may be stopped and repeated.
 */
public final class Resealing {
  private static final Logger LOG = LoggerFactory.getLogger(Resealing.class);

  private final SecretBox box;
  private final ConnectionRepository connections;

  public Resealing(SecretBox box, ConnectionRepository connections) {
    this.box = box;
    this.connections = connections;
  }

  /** How many were sealed anew, and how many stay as they are because they do not open. */
  public record Count(int sealed, int left) {
    private static final Count NONE = new Count(0, 0);
    private static final Count SEALED = new Count(1, 0);
    private static final Count LEFT = new Count(0, 1);

    private Count plus(Count more) {
      return new Count(sealed + more.sealed, left + more.left);
    }
  }

  /** Goes over all persons' connections, so many rows a page. */
  public Future<Count> run(int page) {
    return page(null, page, Count.NONE);
  }

  private Future<Count> page(@Nullable Place after, int size, Count before) {
    return connections.toReseal(box.currentKey(), after, size).compose(places -> {
      Future<Count> counted = all(places.iterator(), before);
      return places.size() < size
          ? counted
          : counted.compose(count -> page(last(places), size, count));
    });
  }

  private static Place last(List<Place> places) {
    return places.get(places.size() - 1);
  }

  private Future<Count> all(Iterator<Place> places, Count before) {
    if (!places.hasNext()) {
      return Future.succeededFuture(before);
    }
    return one(places.next()).compose(done -> all(places, before.plus(done)));
  }

  private Future<Count> one(Place place) {
    return connections
        .find(place.user(), place.id())
        .compose(found ->
            found.isEmpty() ? Future.succeededFuture(Count.NONE) : reseal(place, found.get()));
  }

  private Future<Count> reseal(Place place, Found found) {
    Buffer bytes = found.secret();
    String keyId = found.keyId();
    if (bytes == null || keyId == null) {
      return Future.succeededFuture(Count.NONE); // revoked meanwhile
    }
    SecretBox.Owner owner =
        OwnProviders.owner(place.user(), found.id(), OwnProviders.vendor(found), found.baseUrl());
    try {
      String secret = box.open(owner, new SecretBox.Sealed(bytes, keyId));
      SecretBox.Sealed fresh = box.seal(owner, secret);
      // Not written when the row has another secret by now.
      return connections
          .reseal(place.user(), found.id(), bytes, fresh.bytes(), fresh.keyId())
          .map(written -> written ? Count.SEALED : Count.NONE);
    } catch (CannotOpen closed) {
      LOG.error("connection {} keeps its old seal: {}", found.id(), closed.getMessage());
      return Future.succeededFuture(Count.LEFT);
    }
  }
}
