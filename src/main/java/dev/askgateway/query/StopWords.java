package dev.askgateway.query;

import java.util.Set;

/** Words that carry no content in a chat question, folded, English and Spanish. */
final class StopWords {
  private static final String FUNCTION = """
      a about above after again all also am an and any anybody anyone anything are aren arent as at
      be because been before being below between both but by can cannot cant could couldn couldnt
      d did didn didnt do does doesn doesnt doing don dont done down during each either else ever
      every everybody everyone everything few for from further get gets getting give given go goes
      going gone got had hadn hadnt has hasn hasnt have haven havent having he her here hers herself
      him himself his how however i if im in into is isn isnt it its itself ive just know known let
      lets like ll m may maybe me might mine more most much must my myself need no nobody none nor
      not nothing now of off oh ok okay on once one ones only or other others our ours ourselves out
      over own perhaps please quite rather re really s same shall she should shouldn shouldnt so
      some somebody someone something sometimes such t than that thats the their theirs them
      themselves then there theres these they thing things this those though through to too under
      until up upon us ve very was wasn wasnt we well were weren werent what whatever whats when
      where whether which while who whom whos whose why will with within without won wont would
      wouldn wouldnt yes yet you your yours yourself yourselves
      """;

  /** Words of asking and telling, which nearly every question has and few answers do. */
  private static final String ASKING = """
      ask asked asking chat chats conversation conversations discuss discussed discussing find
      made make making mention mentioned mentioning message messages plan plans recall remember
      reply replied say saying says said send sent show speak speaking spoke summarise summarize
      summary talk talked talking tell telling text texted think told wrote write written catch
      recap missed miss person people guy girl woman man happen happened happening
      """;

  private static final String SPANISH = """
      a al algo ante antes como con contra cual cuales cuando de del desde donde dos e el ella
      ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este esto
      estos fue fueron ha habia han hasta hay he la las le les lo los mas me mi mis mucho muy nada ni
      no nos nosotros o para pero por porque que quien quienes se ser si sin sobre son su sus tambien
      te tiene tengo ti todo todos tu tus un una unas uno unos y ya yo dijo dije dijeron hablamos
      hable hablo mensaje mensajes plan planes quede quedamos quedado hice hicimos resumen resume
      """;

  /** Words of time: dropped where the range already filters, kept where people write them. */
  private static final String TIME = """
      today yesterday tomorrow tonight day days week weeks weekend month months hour hours past last
      next previous couple ago since recent recently monday tuesday wednesday thursday friday
      saturday sunday lunes martes miercoles jueves viernes sabado domingo hoy ayer anteayer manana
      semana semanas mes meses dia dias hora horas fin pasado pasada proximo proxima ultimo ultima
      ultimos ultimas hace viene
      """;

  /** Words of time that name no date by themselves: never content. */
  private static final String VAGUE_TIME =
      "past last next previous couple ago since recent recently pasado pasada proximo proxima ultimo"
          + " ultima ultimos ultimas hace viene day days dia dias";

  /** Words that ask for people by how near they are: what the ranking is about, not what they write. */
  private static final String RANKING = """
      closest close closer nearest near best friend friends contact contacts live lives living based
      reach cercano cercana cercanos cercanas amigo amiga amigos amigas vive viven conozco personas
      gente
      """;

  private static final Set<String> ALWAYS = words(FUNCTION, ASKING, SPANISH, VAGUE_TIME);
  private static final Set<String> TIMES = words(TIME);
  private static final Set<String> RANKINGS = words(RANKING);

  private StopWords() {}

  private static Set<String> words(String... lists) {
    return Set.of(java.util.Arrays.stream(String.join(" ", lists).strip().split("\\s+"))
        .distinct()
        .toArray(String[]::new));
  }

  /** Words for where somebody comes from, which have a capital in English and name nobody. */
  private static final Set<String> ORIGINS = words("""
      russian american mexican british english french german spanish italian chinese japanese korean
      indian brazilian argentinian colombian canadian australian irish dutch polish ukrainian greek
      turkish swedish portuguese
      """);

  static boolean isOrigin(String folded) {
    return ORIGINS.contains(folded);
  }

  static boolean isStop(String folded) {
    return ALWAYS.contains(folded);
  }

  static boolean isRanking(String folded) {
    return RANKINGS.contains(folded);
  }

  static boolean isTime(String folded) {
    return TIMES.contains(folded);
  }
}
