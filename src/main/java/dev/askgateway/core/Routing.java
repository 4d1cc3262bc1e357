package dev.askgateway.core;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * How a plan was carried out. It is stored with the plan.
 *
 * @param open names of the question that mean several of the person's own chats or people
 */
public record Routing(QueryPlan plan, Route route, List<OpenName> open) {

  /**
   * A name with more than one reading, all of which were searched.
   *
   * @param kind {@code which_chat} or {@code which_person}
   * @param name as the question words it
   * @param matches how many it may mean, at least 2
   */
  public record OpenName(String kind, String name, int matches) {}

  public Routing {
    open = List.copyOf(open);
  }

  /** The plan with {@code route}; open names stand among its ambiguities. */
  public JsonObject toJson() {
    JsonObject json = plan.toJson().put("route", route.wire());
    if (!open.isEmpty()) {
      JsonArray all = json.getJsonArray("ambiguities", new JsonArray());
      open.forEach(name -> all.add(new JsonObject()
          .put("kind", name.kind())
          .put("name", name.name())
          .put("matches", name.matches())));
      json.put("ambiguities", all);
    }
    return json;
  }
}
