package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Text is read")
@ExtendWith(VertxExtension.class)
class TextWorkTest {

  @ParameterizedTest(name = "of {0} characters on a worker: {1}")
  @CsvSource({"0,false", "200,false", "201,true", "50000,true"})
  @DisplayName("on the loop while it is short, else on a worker, and told on the loop:")
  void leavesTheLoop(int chars, boolean onWorker, Vertx vertx, VertxTestContext test) {
    TextWork texts = new TextWork(vertx);
    vertx.runOnContext(begun -> {
      Context loop = vertx.getOrCreateContext();
      texts
          .of(chars, Context::isOnWorkerThread)
          .onComplete(test.succeeding(read -> test.verify(() -> {
            assertThat(read).isEqualTo(onWorker);
            assertThat(Context.isOnEventLoopThread()).isTrue();
            assertThat(Vertx.currentContext()).isSameAs(loop);
            test.completeNow();
          })));
    });
  }
}
