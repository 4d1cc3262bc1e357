package dev.askgateway.core;

import java.util.Locale;

/** Where the evidence of a question is looked for: one way for each shape of question, none asks a model. */
public enum Route {
  /** The newest messages of a chat, or of the chats with the newest messages. */
  CATCH_UP,
  /** Promises, requests, questions without an answer, plans without a date. */
  OPEN_LOOPS,
  /** Messages that speak of the asked day. */
  DATED_PLANS,
  /** One-to-one chats by how much is written in them, and messages that name a place. */
  PEOPLE,
  /** How people get along: the newest messages and older ones near the question. */
  TONE,
  /** Somebody told by attributes: every chat that may mean the person. */
  DESCRIBED_PERSON,
  /** Inside chats, platforms, senders or times that the question names. */
  FILTERED,
  /** By words and meaning, over everything. */
  RECALL;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
