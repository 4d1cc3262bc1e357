package dev.askgateway.query;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.Person;
import dev.askgateway.core.QueryPlan.Place;
import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A compiled plan with what a proposal may change in it. What a model says is never believed further than
 * the question carries it: a name that is not in the question, a time outside those that it names, a
 * wider filter than the compiled one are left out, each for itself, and the compiled part stays.
 */
final class Refinement {
  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  private final Proposal proposal;
  private final QueryPlan compiled;
  private final OriginalText text;
  private final String folded;
  private final Instant at;
  private final ZoneId zone;

  Refinement(Proposal proposal, String question, QueryPlan compiled, Instant at, ZoneId zone) {
    this.proposal = proposal;
    this.compiled = compiled;
    this.text = OriginalText.of(question);
    this.folded = FoldedText.of(question);
    this.at = at;
    this.zone = zone;
  }

  QueryPlan plan() {
    Intent intent = intent();
    TimeRange range = range();
    return new QueryPlan(
        intent,
        range,
        bounds(range),
        people(),
        compiled.location(),
        intent == Intent.PLAN_RECALL
            ? narrower(compiled.planStatus(), proposal.planStatus())
            : List.of(),
        compiled.ranking(),
        compiled.requestedAction(),
        platforms(),
        narrower(compiled.chatNames(), names(proposal.chatNames())),
        places(),
        compiled.ambiguities(),
        compiled.needsPlanner());
  }

  private Intent intent() {
    Intent proposed = proposal.intent();
    return proposed != null && Proposal.INTENTS.contains(compiled.intent())
        ? proposed
        : compiled.intent();
  }

  /** Within the times that the question names, where it names any that tables can read. */
  private @Nullable TimeRange range() {
    Proposal.Time asked = proposal.time();
    if (asked == null) {
      return compiled.timeRange();
    }
    TimeRange named =
        new QuestionTimes(folded, compiled.intent() == Intent.PLAN_RECALL, at, zone).span();
    Instant first = named == null ? Instant.EPOCH : named.start();
    Instant last = named == null ? LAST : named.end();
    Instant start = later(first, asked.start());
    Instant end = earlier(last, asked.end());
    return start.isBefore(end) ? new TimeRange(start, end, zone) : compiled.timeRange();
  }

  private Instant later(Instant first, @Nullable LocalDateTime local) {
    Instant asked = local == null ? first : local.atZone(zone).toInstant();
    return asked.isAfter(first) ? asked : first;
  }

  private Instant earlier(Instant last, @Nullable LocalDateTime local) {
    Instant asked = local == null ? last : local.atZone(zone).toInstant();
    return asked.isBefore(last) ? asked : last;
  }

  /** A filter that was compiled stays one; what has not begun is no time of messages. */
  private boolean bounds(@Nullable TimeRange range) {
    if (compiled.filtersMessages()) {
      return true;
    }
    Proposal.Time asked = proposal.time();
    return asked != null && asked.ofMessages() && range != null && range.start().isBefore(at);
  }

  private List<Person> people() {
    List<Person> named = new ArrayList<>();
    for (Person person : proposal.people()) {
      String name = inQuestion(person.name()).filter(Refinement::isName).orElse("");
      List<String> descriptors = person.descriptors().stream()
          .map(this::inQuestion)
          .flatMap(Optional::stream)
          .toList();
      if (!name.isEmpty() || !descriptors.isEmpty()) {
        named.add(new Person(name, descriptors, null));
      }
    }
    return named.isEmpty() ? compiled.people() : named;
  }

  /** A question that names no platform is limited to none, and never to one that it leaves out. */
  private List<String> platforms() {
    List<String> leftOut = ChatRules.platformsLeftOut(folded);
    List<String> proposed = ChatRules.mentionsPlatform(folded)
        ? proposal.platforms().stream().filter(id -> !leftOut.contains(id)).toList()
        : List.of();
    return narrower(compiled.platforms(), proposed);
  }

  /** Those of the compiled that are proposed too; without compiled ones all that are proposed. */
  private static List<String> narrower(List<String> compiled, List<String> proposed) {
    List<String> both = compiled.stream()
        .filter(one -> proposed.stream().anyMatch(two -> isSame(one, two)))
        .toList();
    return compiled.isEmpty() ? proposed : both.isEmpty() ? compiled : both;
  }

  private static boolean isSame(String one, String two) {
    return FoldedText.of(one).equals(FoldedText.of(two));
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>(compiled.places());
    for (String wording : names(proposal.places())) {
      List<Place> known = Places.all(wording);
      Place place = known.isEmpty() ? new Place(wording, wording) : known.get(0);
      if (places.stream().noneMatch(other -> isSame(other.wording(), place.wording()))) {
        places.add(place);
      }
    }
    return places;
  }

  private List<String> names(List<String> proposed) {
    return proposed.stream()
        .map(this::inQuestion)
        .flatMap(Optional::stream)
        .filter(Refinement::isName)
        .distinct()
        .toList();
  }

  private static boolean isName(String wording) {
    return FoldedText.words(FoldedText.of(wording)).stream()
        .anyMatch(word -> !StopWords.isStop(word) && !StopWords.isTime(word));
  }

  /** The words as the question writes them, if it has them as whole words in this order. */
  private Optional<String> inQuestion(String words) {
    String wanted = FoldedText.of(words);
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    String phrase =
        Arrays.stream(wanted.split(" ")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
    Matcher found = Pattern.compile("(?<![\\p{L}\\p{N}])" + phrase + "(?![\\p{L}\\p{N}])")
        .matcher(text.folded());
    return found.find() ? Optional.of(text.original(found.start(), found.end())) : Optional.empty();
  }
}
