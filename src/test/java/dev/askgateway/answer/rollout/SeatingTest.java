package dev.askgateway.answer.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.rollout.Rollouts.Given;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.ModelSwitch;
import dev.askgateway.provider.route.Planner;
import dev.askgateway.store.Arm;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who may answer while a profile is rolled out")
class SeatingTest {
  private static final UserId ANA = new UserId("ana");
  private static final Arm CANDIDATE = new Arm(new UUID(1, 2), Arm.Place.CANDIDATE);
  private static final Arm CONTROL = new Arm(new UUID(1, 2), Arm.Place.CONTROL);
  private static final Rollouts IN = (user, profile) -> new Given(CANDIDATE, "next", null);
  private static final Rollouts OUT = (user, profile) -> new Given(CONTROL, "next", null);

  /** Nobody is asked here: who may be is all that is looked at. */
  private record Named(String name) implements ModelProvider {
    @Override
    public String model() {
      return name;
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      throw new AssertionError("asked");
    }
  }

  /** The server of each profile; any other has nobody. */
  private static Planner planner(Map<String, String> servers) {
    return (user, profile, needs, commit) -> {
      String server = servers.get(profile);
      return server == null
          ? Future.failedFuture(new GatewayError(GatewayError.Code.NO_PROVIDER, "nobody"))
          : Future.succeededFuture(Plan.of(Deadlines.DEFAULT, List.of(new Named(server))));
    };
  }

  private static Seating.Seat seat(Planner planner, Rollouts rollouts) {
    return new Seating(planner, rollouts).seat(ANA, "usual", Needs.NOTHING).result();
  }

  private static String server(Seating.Seat seat) {
    return seat.plan().candidates().get(0).provider().name();
  }

  @Test
  @DisplayName("are the candidate's models in the share, and the control's out of it")
  void arms() {
    Planner both = planner(Map.of("usual", "one", "next", "two"));
    Seating.Seat in = seat(both, IN);
    assertThat(server(in)).isEqualTo("two");
    assertThat(in.given().arm()).isEqualTo(CANDIDATE);
    Seating.Seat out = seat(both, OUT);
    assertThat(server(out)).isEqualTo("one");
    assertThat(out.given().arm()).isEqualTo(CONTROL);
  }

  @Test
  @DisplayName(
      "are the control's, in no arm, where the candidate's cannot, on whichever side one is drawn")
  void cannot() {
    for (Rollouts drawn : List.of(IN, OUT)) {
      Seating.Seat seat = seat(planner(Map.of("usual", "one")), drawn);
      assertThat(server(seat)).isEqualTo("one");
      assertThat(seat.given()).isEqualTo(Given.NOTHING);
    }
  }

  @Test
  @DisplayName(
      "are the control's, in no arm, where a person has a model of their own for the candidate")
  void ownOfCandidate() {
    for (Rollouts drawn : List.of(IN, OUT)) {
      Seating.Seat seat = seat(planner(Map.of("usual", "one", "next", "byok-openai")), drawn);
      assertThat(server(seat)).isEqualTo("one");
      assertThat(seat.given()).isEqualTo(Given.NOTHING);
    }
  }

  @Test
  @DisplayName("is a person's own model, in no arm")
  void own() {
    Seating.Seat seat = seat(planner(Map.of("usual", "byok-openai", "next", "two")), IN);
    assertThat(server(seat)).isEqualTo("byok-openai");
    assertThat(seat.given()).isEqualTo(Given.NOTHING);
  }

  @Test
  @DisplayName("is who quotes, in no arm, while models are off")
  void off() {
    ModelSwitch models = new ModelSwitch(true, new Named("quotes"));
    Seating.Seat seat = seat(models.quoting(planner(Map.of("usual", "one", "next", "two"))), IN);
    assertThat(server(seat)).isEqualTo("quotes");
    assertThat(seat.given()).isEqualTo(Given.NOTHING);
  }
}
