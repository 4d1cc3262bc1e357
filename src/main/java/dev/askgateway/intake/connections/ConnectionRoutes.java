package dev.askgateway.intake.connections;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.Replies;
import dev.askgateway.provider.byok.Connections;
import dev.askgateway.store.ProfileRepository;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.UUID;

/** Connections and model profiles. A secret is read from a body and never written into one. */
public final class ConnectionRoutes {
  private static final int CONTEXT_TOKENS = 128_000;
  private static final int OUTPUT_TOKENS = 4_096;

  private final Connections connections;

  public ConnectionRoutes(Connections connections) {
    this.connections = connections;
  }

  public void list(RoutingContext ctx) {
    rows(ctx, connections.list(Replies.person(ctx)));
  }

  public void create(RoutingContext ctx) {
    JsonObject body = Replies.body(ctx);
    Connections.Draft draft = new Connections.Draft(
        body.getString("providerType"),
        body.getString("displayName"),
        body.getString("baseUrl"),
        body.getString("secret"));
    answer(ctx, 201, connections.create(Replies.person(ctx), draft));
  }

  /** With the model of the body, else with one that a profile has for this connection. */
  public void test(RoutingContext ctx) {
    UserId person = Replies.person(ctx);
    UUID id = connection(ctx);
    String wanted = Replies.body(ctx).getString("model");
    Future<String> model = wanted != null
        ? Future.succeededFuture(wanted)
        : connections
            .get(person, id)
            .compose(there -> connections.profiles(person))
            .compose(profiles -> profiled(profiles, id));
    answer(ctx, 200, model.compose(chosen -> connections.test(person, id, chosen)));
  }

  private static Future<String> profiled(List<JsonObject> profiles, UUID id) {
    return profiles.stream()
        .filter(profile -> id.toString().equals(profile.getString("connectionId")))
        .map(profile -> Future.succeededFuture(profile.getString("model")))
        .findFirst()
        .orElseGet(() -> Future.failedFuture(
            GatewayError.invalid("/model", "No profile has a model to try: name one.")));
  }

  public void rotateSecret(RoutingContext ctx) {
    String secret = Replies.body(ctx).getString("secret");
    answer(ctx, 200, connections.rotateSecret(Replies.person(ctx), connection(ctx), secret));
  }

  public void revoke(RoutingContext ctx) {
    answer(ctx, 200, connections.revoke(Replies.person(ctx), connection(ctx)));
  }

  public void listProfiles(RoutingContext ctx) {
    rows(ctx, connections.profiles(Replies.person(ctx)));
  }

  public void putProfile(RoutingContext ctx) {
    JsonObject body = Replies.body(ctx);
    ProfileRepository.Choice choice = new ProfileRepository.Choice(
        UUID.fromString(body.getString("connectionId")),
        body.getString("model"),
        body.getInteger("contextTokens", CONTEXT_TOKENS),
        body.getInteger("outputTokens", OUTPUT_TOKENS));
    answer(
        ctx,
        200,
        connections.putProfile(Replies.person(ctx), Replies.text(ctx, "taskRole"), choice));
  }

  public void deleteProfile(RoutingContext ctx) {
    connections
        .deleteProfile(Replies.person(ctx), Replies.text(ctx, "taskRole"))
        .onSuccess(gone -> Replies.json(ctx, 200, new JsonObject().put("success", true)))
        .onFailure(ctx::fail);
  }

  private static UUID connection(RoutingContext ctx) {
    return Replies.uuid(ctx, "connectionId");
  }

  private static void answer(RoutingContext ctx, int status, Future<JsonObject> data) {
    data.onSuccess(shown -> Replies.data(ctx, status, shown)).onFailure(ctx::fail);
  }

  private static void rows(RoutingContext ctx, Future<List<JsonObject>> rows) {
    rows.onSuccess(shown -> Replies.data(ctx, 200, new JsonArray(shown))).onFailure(ctx::fail);
  }
}
