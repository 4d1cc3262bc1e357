package dev.askgateway.config;

import java.util.Map;

/**
 * How passages are found. If one of these exists, it is valid.
 *
 * @param depth hits taken from each leg before fusion
 * @param rrfK the constant of reciprocal rank fusion
 * @param windowBefore messages shown before a hit
 * @param windowAfter messages shown after a hit
 * @param cosineFloor least cosine of a vector hit, by embedding profile
 * @param lexicalShare least share of the question's content words in a text hit, 0 to 1
 * @param exactScanRows up to so many rows vectors are compared without the index
 */
public record RetrievalSettings(
    int depth,
    int rrfK,
    int windowBefore,
    int windowAfter,
    Map<String, Double> cosineFloor,
    double lexicalShare,
    int exactScanRows) {

  public RetrievalSettings {
    cosineFloor = Map.copyOf(cosineFloor);
    Rule.range("retrieval.depth", depth, 1, 1000);
    Rule.range("retrieval.rrfK", rrfK, 0, 10_000);
    Rule.range("retrieval.windowBefore", windowBefore, 0, 50);
    Rule.range("retrieval.windowAfter", windowAfter, 0, 50);
    cosineFloor.forEach((profile, floor) -> Rule.require(
        floor >= -1 && floor <= 1,
        "retrieval.cosineFloor",
        profile + "=" + floor,
        "profile=floor with floors of -1 to 1"));
    Rule.share("retrieval.lexicalShare", lexicalShare);
    Rule.range("retrieval.exactScanRows", exactScanRows, 0, 10_000_000);
  }

  static RetrievalSettings from(Section retrieval) {
    return new RetrievalSettings(
        retrieval.integer("depth"),
        retrieval.integer("rrfK"),
        retrieval.integer("windowBefore"),
        retrieval.integer("windowAfter"),
        retrieval.decimals("cosineFloor"),
        retrieval.decimal("lexicalShare"),
        retrieval.integer("exactScanRows"));
  }
}
