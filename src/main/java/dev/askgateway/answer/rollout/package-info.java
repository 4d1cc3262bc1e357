/** What operators change while nodes run: who has which arm of a rollout, and when it is taken back. */
@NullMarked
package dev.askgateway.answer.rollout;

import org.jspecify.annotations.NullMarked;
