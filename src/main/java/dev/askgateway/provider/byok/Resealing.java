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

  private final OwnProviders providers;
  private final ConnectionRepository connections;

  public Resealing(OwnProviders providers) {
    this.providers = providers;
    this.connections = providers.connections();
  }

  /** How many are sealed anew, and how many stay as they are because they do not open. */
  public record Count(int sealed, int left) {
    Count plus(boolean done) {
      return done ? new Count(sealed + 1, left) : new Count(sealed, left + 1);
    }
  }

  /** Goes over all persons' connections, so many rows a page. */
  public Future<Count> run(int page) {
    return page(null, page, new Count(0, 0));
  }

  private Future<Count> page(@Nullable Place after, int size, Count before) {
    return connections.toReseal(providers.box().currentKey(), after, size).compose(places -> {
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

  private Future<Boolean> one(Place place) {
    return connections
        .find(place.user(), place.id())
        .compose(
            found -> found.isEmpty() ? Future.succeededFuture(true) : reseal(place, found.get()));
  }

  private Future<Boolean> reseal(Place place, Found found) {
    Buffer bytes = found.secret();
    String keyId = found.keyId();
    if (bytes == null || keyId == null) {
      return Future.succeededFuture(true); // revoked meanwhile
    }
    SecretBox.Owner owner =
        OwnProviders.owner(place.user(), found.id(), OwnProviders.vendor(found), found.baseUrl());
    try {
      String secret = providers.box().open(owner, new SecretBox.Sealed(bytes, keyId));
      SecretBox.Sealed fresh = providers.box().seal(owner, secret);
      // Not written when the row has another secret by now: that one is sealed with the new key.
      return connections
          .reseal(place.user(), found.id(), bytes, fresh.bytes(), fresh.keyId())
          .map(true);
    } catch (CannotOpen closed) {
      LOG.error("connection {} keeps its old seal: {}", found.id(), closed.getMessage());
      return Future.succeededFuture(false);
    }
  }
}
