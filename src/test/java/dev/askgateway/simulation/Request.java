package dev.askgateway.simulation;

import java.util.UUID;

/**
 * What a client asks for.
 *
 * @param answer a turn, which renews its lease; else a completion, whose lease outlives it
 * @param holdMicroUsd the worst case of its models
 */
record Request(String person, UUID id, boolean answer, long inputChars, long holdMicroUsd) {
  String name() {
    return (answer ? "turn " : "completion ") + id.toString().substring(0, 8);
  }
}
