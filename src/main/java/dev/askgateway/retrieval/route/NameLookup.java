package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Routing.OpenName;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.query.QuestionShape;
import dev.askgateway.store.NameRepository;
import dev.askgateway.store.NameRepository.Kind;
import dev.askgateway.store.NameRepository.Match;
import dev.askgateway.store.SearchFilters.Senders;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the names that a question is limited to or that its route needs, in one statement; most
 * questions need none. In strict scope no chat is looked up: the one there is, is given.
 */
final class NameLookup {
  private static final Pattern AND = Pattern.compile("(?i)\\s+(?:and|y|&)\\s+");

  private final NameRepository names;
  private final boolean groups;

  NameLookup(NameRepository names, boolean groups) {
    this.names = names;
    this.groups = groups;
  }

  /**
   * The names of a question that are looked up.
   *
   * @param chats as the question writes them
   * @param people who is named, where the route needs them; else empty
   * @param speakers of them, whose own words are asked for
   */
  record Named(List<String> chats, List<String> people, List<String> speakers) {}

  /** Reads a question for its names. */
  static Named named(String question, QueryPlan plan, Scope scope) {
    List<String> people = plan.people().stream()
        .map(QueryPlan.Person::name)
        .filter(name -> !name.isBlank())
        .toList();
    List<String> speakers = SpeakerNames.of(question, plan);
    boolean wanted = !speakers.isEmpty()
        || !LoopShape.kinds(question).isEmpty()
        || ToneShape.asksFor(question)
        || QuestionShape.isCatchUp(question)
        || plan.intent() == QueryPlan.Intent.PLAN_RECALL;
    return new Named(
        scope.isStrict() ? List.of() : plan.chatNames(), wanted ? people : List.of(), speakers);
  }

  Future<KnownNames> of(UserId user, Named named, Scope scope) {
    return names
        .resolve(
            user,
            named.chats().stream()
                .map(name -> AND.matcher(name).replaceAll(" "))
                .toList(),
            named.people(),
            groups)
        .map(matches -> known(matches, named, scope));
  }

  private static KnownNames known(List<Match> matches, Named named, Scope scope) {
    List<String> chatNames = named.chats();
    List<String> peopleNames = named.people();
    Set<UUID> chats = new LinkedHashSet<>();
    Set<String> chatWords = new HashSet<>();
    List<OpenName> open = new ArrayList<>();
    for (int i = 0; i < chatNames.size(); i++) {
      List<Match> found = closest(of(matches, i, Kind.CHAT));
      found.forEach(match -> {
        chats.add(Objects.requireNonNull(match.id()));
        chatWords.addAll(words(match.folded()));
      });
      if (found.size() > 1) {
        open.add(new OpenName("which_chat", chatNames.get(i), found.size()));
      }
    }
    List<Match> people = new ArrayList<>();
    List<Match> speaking = new ArrayList<>();
    for (int i = 0; i < peopleNames.size(); i++) {
      List<Match> found = of(matches, i, Kind.CONTACT, Kind.TALK, Kind.SENDER);
      people.addAll(found);
      if (named.speakers().contains(peopleNames.get(i))) {
        speaking.addAll(found);
      }
      long different = found.stream().map(Match::label).distinct().count();
      if (different > 1 && !scope.isStrict()) {
        open.add(new OpenName("which_person", peopleNames.get(i), (int) different));
      }
    }
    return new KnownNames(
        List.copyOf(chats),
        chatWords,
        ids(people, Kind.TALK).filter(id -> isInside(scope, id)).toList(),
        senders(people),
        words(people),
        senders(speaking),
        words(speaking),
        open);
  }

  private static boolean isInside(Scope scope, UUID chat) {
    return !scope.isStrict() || scope.chatIds().contains(chat);
  }

  private static List<Match> of(List<Match> matches, int asked, Kind... kinds) {
    return matches.stream()
        .filter(match -> match.asked() == asked && List.of(kinds).contains(match.kind()))
        .toList();
  }

  /** A chat of just that name is meant rather than all whose names hold it. */
  private static List<Match> closest(List<Match> matches) {
    List<Match> same =
        matches.stream().filter(match -> match.label().equals(match.folded())).toList();
    return same.isEmpty() ? matches : same;
  }

  private static Stream<UUID> ids(List<Match> matches, Kind kind) {
    return matches.stream()
        .filter(match -> match.kind() == kind)
        .map(match -> Objects.requireNonNull(match.id()))
        .distinct();
  }

  private static @Nullable Senders senders(List<Match> people) {
    return people.isEmpty()
        ? null
        : new Senders(
            ids(people, Kind.CONTACT).toList(),
            people.stream().map(Match::folded).distinct().toList());
  }

  private static Set<String> words(List<Match> matches) {
    Set<String> words = new HashSet<>();
    matches.forEach(match -> words.addAll(words(match.folded())));
    return words;
  }

  private static List<String> words(String folded) {
    return List.of(folded.split(" "));
  }
}
