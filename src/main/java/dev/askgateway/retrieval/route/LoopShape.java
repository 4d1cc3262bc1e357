package dev.askgateway.retrieval.route;

import dev.askgateway.query.FoldedText;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which open loops a question asks for, by tables, English and Spanish. */
final class LoopShape {
  private static final Pattern ALL = Pattern.compile(
      "\\b(?:open|unresolved|outstanding) (?:loops?|items?|things?|commitments?|promises|points|matters|tasks)\\b"
          + "|\\b(?:commitments?|follow[- ]?ups?|to-?dos?|loose ends|unresolved)\\b"
          + "|\\bwhat(?:'s| is| are)? (?:still )?(?:open|pending|outstanding)\\b"
          + "|\\b(?:pendientes?|cabos sueltos|compromisos)\\b|\\bsigue abiert[oa]\\b");
  private static final Map<LoopKind, Pattern> KINDS = new EnumMap<>(LoopKind.class);

  static {
    KINDS.put(
        LoopKind.MINE,
        Pattern.compile(
            "\\b(?:did|have) i (?:ever )?promised?\\b|\\bi (?:still )?(?:promised|owe|committed)\\b"
                + "|\\b(?:do|did) i (?:still )?owe\\b|\\bi said i(?:'d| would)\\b|\\bmy (?:promises|commitments|to-?dos?)\\b"
                + "|\\bprometi\\b|\\bhe prometido\\b|\\b(?:que|a quien) (?:le )?debo\\b|\\bmis (?:promesas|compromisos)\\b"));
    KINDS.put(
        LoopKind.THEIRS,
        Pattern.compile(
            "\\b(?:promised|promise|owes?) me\\b|\\bam i (?:still )?waiting (?:for|on)\\b"
                + "|\\bwaiting on others\\b|\\bme (?:prometieron|prometio|han prometido|ha prometido|deben?)\\b"
                + "|\\bque (?:estoy esperando|espero)\\b"));
    KINDS.put(
        LoopKind.REQUEST,
        Pattern.compile(
            "\\basked me (?:to do|for)\\b|\\b(?:need|needs|want|wants) (?:something )?from me\\b"
                + "|\\bopen requests?\\b|\\bme (?:pidio|pidieron|han pedido|ha pedido|piden)\\b|\\bpeticiones\\b"));
    KINDS.put(
        LoopKind.QUESTION,
        Pattern.compile(
            "\\bunanswered\\b|\\bopen questions?\\b|\\bi (?:still )?(?:have to|need to|should|must|forgot to)"
                + " (?:answer|reply|respond)\\b|\\bdo i (?:still )?(?:have to|need to) (?:answer|reply|respond)\\b"
                + "|\\b(?:haven't|have not|didn't|did not|have) (?:i )?(?:yet |not )?(?:answered|replied|responded|answer|reply|respond)\\b"
                + "|\\bwaiting (?:for|on) (?:my|a|an|me)(?: (?:reply|answer|response))?\\b|\\bsin (?:responder|contestar)\\b"
                + "|\\bpreguntas (?:abiertas|pendientes)\\b|\\bno he (?:respondido|contestado)\\b"
                + "|\\bfaltan? (?:por )?(?:responder|contestar)\\b"));
  }

  /** Words that ask for loops and are no topic of their own. */
  static final Set<String> WORDS = Set.copyOf(FoldedText.words("""
      open unresolved outstanding loop loops item items commitment commitments commit committed promise
      promises promised point points matter matters task tasks follow followup followups up ups todo todos
      loose ends end pending owe owes owed waiting wait others unanswered answer answered answers reply
      replied response respond responded question questions request requests want wants forgot have still yet
      list show did said would money not
      pendiente pendientes cabos sueltos compromiso compromisos prometi prometido prometio prometieron promesa
      promesas debo debe deben esperando espero responder respondido contestar contestado pregunta preguntas
      abierta abiertas abierto peticion peticiones pidio pidieron pedido piden falta faltan sigue estoy han he
      cosas tareas
      """));

  private LoopShape() {}

  /** Empty when it asks for none, all when it names no kind. */
  static Set<LoopKind> kinds(String question) {
    String folded = FoldedText.of(question);
    Set<LoopKind> kinds = EnumSet.noneOf(LoopKind.class);
    KINDS.forEach((kind, asked) -> {
      if (asked.matcher(folded).find()) {
        kinds.add(kind);
      }
    });
    return kinds.isEmpty() && ALL.matcher(folded).find() ? EnumSet.allOf(LoopKind.class) : kinds;
  }
}
