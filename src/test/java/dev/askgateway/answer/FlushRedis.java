package dev.askgateway.answer;

import dev.askgateway.devservices.DevServices;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;

/** Takes everything out of the shared Redis, as a restart without persistence does. */
final class FlushRedis {
  private FlushRedis() {}

  static void all(Vertx vertx) {
    Redis redis = Redis.createClient(vertx, DevServices.shared().redisUrl());
    AnswerBench.await(redis.send(Request.cmd(Command.FLUSHALL)));
    AnswerBench.await(redis.close());
  }
}
