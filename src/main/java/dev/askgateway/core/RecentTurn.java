package dev.askgateway.core;

/** An earlier turn of the thread, oldest first in the slice that generation reads (spec B14). */
public record RecentTurn(Prompt.Role role, String content) {}
