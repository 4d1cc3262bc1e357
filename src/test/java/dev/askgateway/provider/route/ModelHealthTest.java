package dev.askgateway.provider.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.Candidate.Permit;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(VertxExtension.class)
class ModelHealthTest {
  private final AtomicLong clock = new AtomicLong(1_000);
  private final List<String> told = new CopyOnWriteArrayList<>();
  private Promise<Void> halfOpen = Promise.promise();
  private HealthBook book;
  private ModelHealth health;

  @BeforeEach
  void build(Vertx vertx) {
    HealthRules rules = new HealthRules(
        5,
        0.5,
        Duration.ofSeconds(10),
        Duration.ofMillis(50), // the one real wait: Vert.x keeps the breaker's timer
        Duration.ofSeconds(60),
        Duration.ofSeconds(60));
    book = new HealthBook(vertx, rules, clock::get, (provider, model, state) -> {
      told.add(provider + ":" + model + " " + state);
      if (state == HealthState.PROBING) {
        halfOpen.tryComplete();
      }
    });
    health = book.of("p", "m");
  }

  private static GatewayError error(Kind kind) {
    return ProviderFailure.error(kind, "test");
  }

  private void after(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private Permit admitted() {
    Permit permit = health.admit();
    assertThat(permit).isNotNull();
    return permit;
  }

  private void open() {
    for (int i = 0; i < 5; i++) {
      admitted().failed(error(Kind.UNAVAILABLE));
    }
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
  }

  private void waitForProbing() {
    Wait.on(halfOpen.future());
    halfOpen = Promise.promise();
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNAVAILABLE", "PROTOCOL", "TRUNCATED", "TIMEOUT", "RATE_LIMITED"})
  @DisplayName("what the model or the way to it is to blame for opens the breaker")
  void counts(Kind kind) {
    for (int i = 0; i < 4; i++) {
      admitted().failed(error(kind));
    }
    assertThat(health.state()).isEqualTo(HealthState.UP);
    admitted().failed(error(kind));
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
    assertThat(health.admit()).isNull();
    assertThat(health.refusedFor()).isPositive();
    assertThat(book.states()).containsEntry("p:m", HealthState.DOWN);
    assertThat(book.state("p:m")).isEqualTo(HealthState.DOWN);
    assertThat(book.state("p:nobody")).isEqualTo(HealthState.UP);
    assertThat(told).containsExactly("p:m DOWN");
  }

  @Test
  @DisplayName("refusals of the request, filters and clients that leave never open it (B139)")
  void doesNotCount() {
    for (int i = 0; i < 20; i++) {
      admitted().failed(error(Kind.REFUSED));
      admitted().failed(error(Kind.REFUSED_LATE));
      admitted().failed(error(Kind.TOO_LARGE));
      admitted().failed(new GatewayError(Code.INVALID_REQUEST, "test"));
      admitted().abandoned();
    }
    assertThat(health.state()).isEqualTo(HealthState.UP);
    assertThat(told).isEmpty();
  }

  @Test
  @DisplayName("refusals do not hide an outage: they are no successes either (B139)")
  void doesNotForgive() {
    for (int i = 0; i < 5; i++) {
      admitted().failed(error(Kind.UNAVAILABLE));
      Permit next = health.admit();
      if (next != null) {
        next.failed(error(Kind.REFUSED));
      }
    }
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
  }

  @Test
  @DisplayName("a few failures among many good calls are no outage, nor are old ones")
  void share() {
    for (int i = 0; i < 100; i++) {
      admitted().succeeded();
      admitted().succeeded();
      admitted().failed(error(Kind.UNAVAILABLE));
    }
    assertThat(health.state()).isEqualTo(HealthState.UP);
    after(Duration.ofMinutes(1));
    for (int i = 0; i < 20; i++) {
      admitted().failed(error(Kind.UNAVAILABLE));
      after(Duration.ofSeconds(8));
    }
    assertThat(health.state()).isEqualTo(HealthState.UP);
  }

  @Test
  @DisplayName("late successes of old calls leave an open breaker open, and a half-open one (B137)")
  void lateSuccess() {
    List<Permit> before = Stream.generate(this::admitted).limit(10).toList();
    before.subList(0, 5).forEach(permit -> permit.failed(error(Kind.UNAVAILABLE)));
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
    before.get(5).succeeded();
    before.get(6).succeeded();
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
    waitForProbing();
    before.get(7).succeeded();
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    before.get(8).failed(error(Kind.UNAVAILABLE));
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    Permit probe = admitted();
    before.get(9).succeeded();
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    probe.succeeded();
    assertThat(health.state()).isEqualTo(HealthState.UP);
    assertThat(told).containsExactly("p:m DOWN", "p:m PROBING", "p:m UP");
  }

  @Test
  @DisplayName("one probe at a time; one that fails opens the breaker again")
  void probe() {
    open();
    waitForProbing();
    Permit probe = admitted();
    assertThat(health.admit()).isNull();
    probe.failed(error(Kind.TIMEOUT));
    assertThat(health.state()).isEqualTo(HealthState.DOWN);
    waitForProbing();
    admitted().succeeded();
    assertThat(health.state()).isEqualTo(HealthState.UP);
  }

  @Test
  @DisplayName(
      "a probe that is given up, or refused for its request, proves nothing: another may go")
  void abandonedProbe() {
    open();
    waitForProbing();
    admitted().abandoned();
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    admitted().failed(error(Kind.REFUSED));
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    admitted().succeeded();
    assertThat(health.state()).isEqualTo(HealthState.UP);
  }

  @Test
  @DisplayName("a call ends once: what is told of it afterwards changes nothing")
  void doubleEnds() {
    Permit failing = admitted();
    for (int i = 0; i < 20; i++) {
      failing.failed(error(Kind.UNAVAILABLE));
    }
    assertThat(health.state()).isEqualTo(HealthState.UP);
    after(Duration.ofMinutes(1));
    open();
    waitForProbing();
    Permit probe = admitted();
    probe.abandoned();
    Permit second = admitted();
    probe.abandoned();
    probe.succeeded();
    assertThat(health.state()).isEqualTo(HealthState.PROBING);
    assertThat(health.admit()).isNull();
    second.succeeded();
    assertThat(health.state()).isEqualTo(HealthState.UP);
  }

  @Test
  @DisplayName("a model that asks for a wait gets it, up to a bound, and its neighbours do not")
  void retryAfter() {
    admitted().failed(ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofSeconds(20)));
    assertThat(health.admit()).isNull();
    assertThat(health.refusedFor()).isEqualTo(Duration.ofSeconds(20));
    assertThat(health.state()).isEqualTo(HealthState.RATE_LIMITED);
    assertThat(book.of("p", "other").admit()).isNotNull();
    after(Duration.ofSeconds(20));
    Permit permit = admitted();
    assertThat(health.state()).isEqualTo(HealthState.UP);
    permit.failed(ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofDays(365)));
    assertThat(health.refusedFor()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  @DisplayName("a 429 with a wait does not open the breaker, however often it comes")
  void retryAfterIsNoOutage() {
    List<Permit> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(admitted());
    }
    all.forEach(permit ->
        permit.failed(ProviderFailure.error(Kind.RATE_LIMITED, "test", Duration.ofSeconds(1))));
    after(Duration.ofSeconds(1));
    assertThat(health.state()).isEqualTo(HealthState.UP);
  }

  @Test
  @DisplayName("a refused account rests the whole provider; a missing model only itself")
  void account() {
    ModelHealth sibling = book.of("p", "sibling");
    ModelHealth stranger = book.of("q", "m");
    admitted().failed(ProviderFailure.noSuchModel("status 404"));
    assertThat(health.admit()).isNull();
    assertThat(sibling.admit()).isNotNull();
    after(Duration.ofSeconds(60));
    admitted().failed(error(Kind.ACCOUNT));
    assertThat(health.admit()).isNull();
    assertThat(sibling.admit()).isNull();
    assertThat(sibling.state()).isEqualTo(HealthState.NO_ACCESS);
    assertThat(sibling.refusedFor()).isEqualTo(Duration.ofSeconds(60));
    assertThat(stranger.admit()).isNotNull();
    after(Duration.ofSeconds(60));
    assertThat(sibling.admit()).isNotNull();
  }

  @Test
  @DisplayName("a slow call is believed at once, fast ones gradually; load counts, time forgets")
  void cost() {
    assertThat(health.cost()).isZero();
    Permit first = admitted();
    assertThat(health.cost()).as("one at a time finds out").isPositive();
    first.firstOutput(Duration.ofMillis(100).toNanos());
    first.succeeded();
    assertThat(health.cost()).isEqualTo(100e6);
    Permit slow = admitted();
    slow.firstOutput(Duration.ofMillis(900).toNanos());
    assertThat(health.cost()).as("two calls: this one and the next").isEqualTo(1_800e6);
    slow.succeeded();
    slow.succeeded();
    assertThat(health.cost()).isEqualTo(900e6);
    after(Duration.ofSeconds(1));
    Permit quick = admitted();
    quick.firstOutput(Duration.ofMillis(100).toNanos());
    quick.succeeded();
    assertThat(health.cost()).isBetween(700e6, 899e6);
    after(Duration.ofMinutes(1));
    assertThat(health.cost()).isLessThan(10e6);
    admitted().failed(error(Kind.UNAVAILABLE));
    assertThat(health.cost()).as("failing fast is not being fast").isGreaterThan(1e9);
  }
}
