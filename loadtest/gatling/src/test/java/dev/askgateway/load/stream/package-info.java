/**
 * Event streams as Gatling steps. Gatling's own {@code sse} times what it waits for from the response's
 * head and not from the request, and loses events that come between two waits; a gateway that answers
 * at once has head, progress and first text in one packet. So streams are read here, by the JDK's client, and
 * only their times go to Gatling.
 */
package dev.askgateway.load.stream;
