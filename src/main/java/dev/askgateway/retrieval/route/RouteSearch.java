package dev.askgateway.retrieval.route;

import dev.askgateway.retrieval.Retrieved;
import io.vertx.core.Future;

/** One way to look for evidence. It has a floor of its own: nothing over it is an empty pack (spec E5). */
interface RouteSearch {
  Future<Retrieved> find(Ask ask);
}
