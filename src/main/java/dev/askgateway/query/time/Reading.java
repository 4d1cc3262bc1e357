package dev.askgateway.query.time;

import org.jspecify.annotations.Nullable;

/** What an expression means, seen from a moment; null when it names no real time ("2026-02-30"). */
@FunctionalInterface
interface Reading {
  @Nullable
  Span at(Now now, Tense tense);
}
