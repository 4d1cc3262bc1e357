package dev.askgateway.simulation;

/** Who asks: sends the same request again to whichever node when it hears nothing or of a failure. */
final class Client {
  private static final int MOST_SENDS = 3;

  private final World world;
  private final Request request;
  private int sends;

  Client(World world, Request request) {
    this.world = world;
    this.request = request;
  }

  void send(Node node) {
    sends++;
    world.schedule.message(() -> {
      if (node.isUp()) {
        node.accept(request, this);
      } else {
        lost();
      }
    });
  }

  /** Its node has it: it may leave meanwhile. */
  void accepted(Run started) {
    if (world.schedule.strikes(Fault.LEFT)) {
      world.schedule.in(world.schedule.between(0, 12_000), started::left);
    }
  }

  /** The connection broke, or the node could not ask its database. */
  void lost() {
    if (sends < MOST_SENDS) {
      world.schedule.in(world.schedule.between(10, 3_000), () -> send(world.anyNode()));
    }
  }

  void told(String outcome) {
    world.schedule.note(request.name() + " is told: " + outcome);
  }
}
