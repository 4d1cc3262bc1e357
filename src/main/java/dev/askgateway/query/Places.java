package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Location;
import dev.askgateway.core.QueryPlan.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places by all the names they go by. The question's own wording is kept beside the usual name. */
final class Places {

  private record Entry(String city, List<String> aliases, Pattern pattern) {}

  private record Match(int start, int end, Place place) {}

  private static final List<Entry> ALL = List.of(
      entry("Mexico City", "cdmx", "mexico city", "ciudad de mexico"),
      entry("Brooklyn", "brooklyn", "bk"),
      entry("Manhattan", "manhattan"),
      entry("Queens", "queens"),
      entry("New York", "new york city", "new york", "nueva york", "nyc"),
      entry("Los Angeles", "los angeles"),
      entry("San Francisco", "san francisco", "sf"),
      entry("Chicago", "chicago"),
      entry("Miami", "miami"),
      entry("Boston", "boston"),
      entry("Toronto", "toronto"),
      entry("London", "london", "londres"),
      entry("Paris", "paris"),
      entry("Berlin", "berlin"),
      entry("Madrid", "madrid"),
      entry("Barcelona", "barcelona", "bcn"),
      entry("Lisbon", "lisbon", "lisboa"),
      entry("Tokyo", "tokyo", "tokio"),
      entry("Guadalajara", "guadalajara", "gdl"),
      entry("Monterrey", "monterrey", "mty"),
      entry("Oaxaca", "oaxaca"),
      entry("Bogota", "bogota"),
      entry("Buenos Aires", "buenos aires", "bsas"),
      entry("Lima", "lima"));

  private Places() {}

  private static Entry entry(String city, String... aliases) {
    return new Entry(
        city,
        List.of(aliases),
        Pattern.compile(
            "(?<![\\p{L}\\p{N}])(?:" + String.join("|", aliases) + ")(?![\\p{L}\\p{N}])"));
  }

  /** The first place of a question, or null. */
  static @Nullable Location first(String question) {
    List<Place> places = all(question);
    return places.isEmpty() ? null : new Location(places.get(0).city(), null);
  }

  /** All places, in the question's order. */
  static List<Place> all(String question) {
    OriginalText text = OriginalText.of(question);
    List<Match> found = new ArrayList<>();
    for (Entry entry : ALL) {
      for (Matcher match = entry.pattern().matcher(text.folded()); match.find(); ) {
        String wording = text.original(match.start(), match.end());
        found.add(new Match(match.start(), match.end(), new Place(entry.city(), wording)));
      }
    }
    return found.stream()
        .sorted(Comparator.comparingInt(Match::start))
        .map(Match::place)
        .distinct()
        .toList();
  }

  /** Whether folded words name a place. */
  static boolean isPlace(String folded) {
    return ALL.stream().anyMatch(entry -> entry.pattern().matcher(folded).find());
  }

  /** Names that stand for each other. */
  static List<List<String>> aliases() {
    return ALL.stream().map(Entry::aliases).filter(names -> names.size() > 1).toList();
  }
}
