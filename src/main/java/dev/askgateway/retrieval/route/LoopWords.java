package dev.askgateway.retrieval.route;

import dev.askgateway.query.FoldedText;
import java.util.regex.Pattern;

/**
 * What a message says that leaves something open, English and Spanish. The patterns for the database are
 * wider than what is meant; the others, over folded text, decide.
 */
final class LoopWords {
  static final String MAY_PROMISE =
      "\\m(i.?ll|i will|i.?m going to|i am going to|i promise|i owe|let me|te|le|les|os|lo|la|voy a|prometo|yo)\\M"
          + "|[aei]r[eé]\\M";
  static final String MAY_REQUEST =
      "\\m(you|please|forget|remember|puedes|podr[ií]as|favor|olvides)\\M"
          + "|\\m(m[aá]nda|env[ií]a|p[aá]sa|ll[aá]ma|av[ií]sa|di|tr[aá]e)me\\M";

  /** What a later message says when it is done; not "not sent", "haven't paid". */
  static final String DONE =
      "(?<!not |n't |n’t |never |no |be )\\m(done|sent it|sent you|sent them|just sent|paid|booked it|fixed it|finished"
          + "|bought (it|them)|called (him|her|them)|here (it|you) (is|go|are)|all set|listo|lista|hecho|enviado|enviada"
          + "|mandado|mandada|pagado|pagada|ya (est[aá]|lo|la|te lo|te la|te))\\M";

  private static final String DO =
      "(?:send|bring|call|text|write|email|pay|book|check|ask|look|get|give|do|make|fix|buy|pick|drop|share|forward"
          + "|finish|confirm|transfer|return|lend|mail|sort|take|handle|tell|let you know|reserve|order|print|talk|remind)";
  private static final Pattern PROMISE = Pattern.compile(
      "\\b(?:i'?ll|i will|i'?m going to|i am going to|let me) (?:\\p{L}+ ){0,2}?" + DO + "\\b"
          + "|\\bi promise\\b|\\bi owe you\\b"
          + "|(?<!\\bno )\\b(?:te lo|te la|se lo|se la|te|le|les|os) (?:mando|envio|paso|llamo|pago|traigo|devuelvo|aviso"
          + "|confirmo|escribo|compro|busco|llevo|presto|debo|digo)\\b"
          + "|(?<!\\bno )\\b(?:(?:te|le|les|lo|la) )?(?:mandare|enviare|llamare|pagare|traere|avisare|comprare|devolvere"
          + "|reservare|llevare|confirmare)\\b"
          + "|(?<!\\bno )\\bvoy a (?:mandar|enviar|llamar|pagar|traer|hacer|comprar|buscar|avisar|pasar|reservar|llevar)"
          + "|(?<!\\bno te )\\bprometo\\b|\\byo (?:me encargo|lo hago|la hago|me ocupo)\\b");
  private static final Pattern REQUEST = Pattern.compile(
      "\\b(?:can|could|would|will) you (?:please )?(?:\\p{L}+ )?" + DO + "\\b"
          + "|\\bplease (?:\\p{L}+ )?" + DO + "\\b|\\b(?:don't forget|remember|need you) to\\b"
          + "|\\b(?:puedes|podrias|me puedes|me podrias) (?:\\p{L}+r|\\p{L}+r(?:me|lo|la|le|melo|mela))\\b"
          + "|\\bno (?:te )?olvides\\b|\\b(?:manda|envia|pasa|llama|avisa|di|trae)me\\b|\\bpor favor \\p{L}+");

  private LoopWords() {}

  /** Whether its writer takes something on. */
  static boolean promises(String text) {
    String folded = FoldedText.of(text);
    return !folded.endsWith("?") && PROMISE.matcher(folded).find();
  }

  /** Whether it asks its reader to do something. */
  static boolean requests(String text) {
    return REQUEST.matcher(FoldedText.of(text)).find();
  }
}
