package dev.askgateway.store;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Which of their own models serve which tasks of a person. */
public final class ProfileRepository {
  /** Most tasks of one person. */
  public static final int MOST = 20;

  private static final String SHOWN = """
      jsonb_build_object(
        'taskRole', task_role, 'connectionId', connection_id, 'model', model_id,
        'contextTokens', context_tokens, 'outputTokens', output_tokens,
        'status', CASE WHEN enabled THEN 'enabled' ELSE 'disabled' END,
        'createdAt', created_at, 'updatedAt', updated_at) AS shown
      """;
  private static final String LIST =
      "SELECT " + SHOWN + " FROM ai_model_profiles WHERE user_id = $1 ORDER BY task_role";
  private static final String USABLE = """
      SELECT id FROM ai_connections WHERE user_id = $1 AND id = $2 AND status <> 'revoked' FOR UPDATE
      """;
  private static final String PUT = """
      INSERT INTO ai_model_profiles
        (user_id, task_role, connection_id, model_id, context_tokens, output_tokens)
      SELECT $1, $2, $3, $4, $5, $6
       WHERE (SELECT count(*) FROM ai_model_profiles WHERE user_id = $1 AND task_role <> $2) < $7
      ON CONFLICT (user_id, task_role) DO UPDATE
        SET connection_id = excluded.connection_id, model_id = excluded.model_id,
            context_tokens = excluded.context_tokens, output_tokens = excluded.output_tokens,
            enabled = true, updated_at = clock_timestamp()
      RETURNING """ + " " + SHOWN;
  private static final String DELETE =
      "DELETE FROM ai_model_profiles WHERE user_id = $1 AND task_role = $2";

  private final Database database;

  public ProfileRepository(Database database) {
    this.database = database;
  }

  /** What a task is to be served by. */
  public record Choice(UUID connectionId, String model, int contextTokens, int outputTokens) {}

  public Future<List<JsonObject>> list(UserId user) {
    return database.as(
        user,
        client -> client.preparedQuery(LIST).execute(Tuple.of(user.value())).map(rows -> {
          List<JsonObject> profiles = new ArrayList<>();
          rows.forEach(row -> profiles.add(row.getJsonObject("shown")));
          return profiles;
        }));
  }

  /**
   * Sets the model of a task. The connection's row is held meanwhile, so that it cannot be revoked in
   * between; a connection that is revoked or somebody else's is not found.
   */
  public Future<JsonObject> put(UserId user, String taskRole, Choice choice) {
    Tuple arguments = Tuple.of(user.value(), taskRole, choice.connectionId(), choice.model())
        .addInteger(choice.contextTokens())
        .addInteger(choice.outputTokens())
        .addInteger(MOST);
    return database.as(user, client -> client
        .preparedQuery(USABLE)
        .execute(Tuple.of(user.value(), choice.connectionId()))
        .compose(rows -> rows.size() == 0
            ? Future.failedFuture(GatewayError.notFound("connection"))
            : client.preparedQuery(PUT).execute(arguments))
        .compose(rows -> rows.size() == 0
            ? Future.failedFuture(new GatewayError(
                GatewayError.Code.REQUEST_CONFLICT, "There are too many model profiles already."))
            : Future.succeededFuture(rows.iterator().next().getJsonObject("shown"))));
  }

  /** Gives the task back to the gateway's own models. Deleting what is not there is no error. */
  public Future<Void> delete(UserId user, String taskRole) {
    return database.as(user, client -> client
        .preparedQuery(DELETE)
        .execute(Tuple.of(user.value(), taskRole))
        .mapEmpty());
  }
}
