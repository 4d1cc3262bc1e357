package dev.askgateway.simulation;

import org.jspecify.annotations.Nullable;

/** A place where a node runs, dies and starts anew: each time under another name, without leases. */
final class Node {
  private final World world;
  private final String place;
  private int lives;
  private @Nullable Life life;

  Node(World world, String place) {
    this.world = world;
    this.place = place;
    start();
  }

  private void start() {
    Life[] next = new Life[1];
    next[0] = new Life(world, place + "." + lives++, () -> crash(next[0]));
    life = next[0];
  }

  private void crash(Life dying) {
    if (life != dying) {
      return;
    }
    world.schedule.note(dying.name() + " dies");
    life = null;
    dying.end();
    world.schedule.in(world.schedule.between(100, 20_000), this::start);
  }

  /** Null while it is down. */
  @Nullable
  Life life() {
    return life;
  }

  boolean isIdle() {
    return life == null || life.isIdle();
  }
}
