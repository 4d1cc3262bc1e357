package dev.askgateway.retrieval.route;

import dev.askgateway.query.FoldedText;
import java.util.Set;
import java.util.regex.Pattern;

/** Questions about how people get along or sound, by tables, English and Spanish. */
final class ToneShape {
  private static final Pattern ASKS = Pattern.compile(
      "\\b(?:tone|mood|vibe|relationship|get(?:ting)? along|how (?:are|were|have) things|how close are)\\b"
          + "|\\b(?:mad|angry|upset|annoyed|cross|disappointed|happy|cold|distant|okay|ok) (?:at|with) me\\b"
          + "|\\bhow (?:is|are|was|has|does|did) (?:\\p{L}+ ){1,3}(?:feel(?:ing)?|doing|sound|seem|been)\\b"
          + "|\\b(?:tono|relacion|nos llevamos|se llevan|animo)\\b"
          + "|\\b(?:enojad|enfadad|molest|content|dolid)[oa] conmigo\\b"
          + "|\\bcomo (?:estan|van|andan) las cosas\\b|\\bcomo (?:esta|se siente|anda|va)\\b");

  /** Words that ask for a tone and are no topic of their own. */
  static final Set<String> WORDS = Set.copyOf(FoldedText.words("""
      tone mood vibe relationship along things close mad angry upset annoyed cross disappointed happy cold
      distant feel feeling doing sound seem lately general overall usually pattern
      tono relacion llevamos llevan animo enojado enojada enfadado enfadada molesto molesta contento contenta
      dolido dolida conmigo cosas estan van andan siente sentido anda ultimamente general
      """));

  private ToneShape() {}

  static boolean asksFor(String question) {
    return ASKS.matcher(FoldedText.of(question)).find();
  }
}
