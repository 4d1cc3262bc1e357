package dev.askgateway.config;

import dev.askgateway.budget.MoneyText;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Typed reading of one section. A value of the wrong type is noted as a problem and its default
 * stands in, so that one start finds all problems; {@link #verified} ends the reading.
 *
 * <p>A key that {@code gateway.yaml} does not name is a programming error.
 */
public final class Section {
  private final Reading reading;
  private final String prefix;

  Section(Reading reading, String prefix) {
    this.reading = reading;
    this.prefix = prefix;
  }

  /** The same with those keys set otherwise, by their whole names; what is wrong with them is told apart. */
  Section with(Map<String, String> keys) {
    return new Section(new Reading(reading.tree().with(keys)), prefix);
  }

  /** Whether there is such a key, by its whole name. */
  boolean has(String key) {
    return reading.tree().has(key);
  }

  /** The section in this one. */
  public Section section(String name) {
    return new Section(reading, prefix + name + ".");
  }

  /** The names of the entries in this section, whose entries have names. */
  List<String> names() {
    return reading.tree().names(prefix.substring(0, prefix.length() - 1));
  }

  /** Whether a person wrote this entry or a part of it, for this gateway. */
  boolean isChosen() {
    return !reading.tree().isShipped(prefix) || reading.tree().isChosen(prefix);
  }

  /** Whether the key was set, by any of its names. */
  boolean isSet(String key) {
    return !reading.tree().isDefault(prefix + key);
  }

  /**
   * Builds a record that checks itself in its constructor. An {@link IllegalArgumentException} of the
   * form "key is value; it must be rule" becomes a problem, and a default stands in for that key.
   */
  <T> T read(Function<Section, T> build) {
    return reading.build(this, build);
  }

  /** As {@link #read} for an entry with a name; nothing when no default mends it. */
  <T> Optional<T> attempt(Function<Section, T> build) {
    return reading.attempt(this, build);
  }

  /** Whether there was a problem with a key of this section. */
  boolean isFaulty() {
    return reading.isFaulty(prefix);
  }

  /**
   * As {@link #read}, and ends the reading.
   *
   * @throws InvalidConfig with every problem there was, if there was any
   */
  <T> T verified(Function<Section, T> build) {
    T built = read(build);
    reading.verify();
    return built;
  }

  /** A text, maybe empty. */
  public String string(String key) {
    return entry(key).text();
  }

  /** A text that is never printed, maybe empty. Its name must be one that printing stars. */
  public String secret(String key) {
    if (!Redaction.isSecret(prefix + key)) {
      throw new IllegalStateException(prefix + key + " would be printed");
    }
    return string(key);
  }

  public int integer(String key) {
    return parsed(key, "a whole number", text -> Numbers.whole(text).map(Math::toIntExact));
  }

  public long whole(String key) {
    return parsed(key, "a whole number", Numbers::whole);
  }

  /** A whole number, or that one for an empty text. */
  long wholeOr(String key, long usual) {
    return parsed(
        key,
        "a whole number, or empty",
        text -> text.isEmpty() ? Optional.of(usual) : Numbers.whole(text));
  }

  /** A size: 262144, 256KiB, 10MiB or 1GiB, in bytes. */
  public long bytes(String key) {
    return parsed(key, "a size such as 262144, 256KiB, 10MiB", Numbers::bytes);
  }

  /** A size that fits an int; a larger one becomes the largest, for its record to refuse. */
  public int smallBytes(String key) {
    return (int) Math.min(bytes(key), Integer.MAX_VALUE);
  }

  public double decimal(String key) {
    return parsed(key, "a number", Numbers::decimal);
  }

  public boolean bool(String key) {
    return parsed(key, "true or false", text -> switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.<Boolean>empty();
    });
  }

  /** An amount in US dollars such as "5.00", as micro-USD; nothing for an empty text. */
  public Optional<Long> dollars(String key) {
    return parsed(key, MoneyText.RULE, text -> {
      if (text.isEmpty()) {
        return Optional.of(Optional.<Long>empty());
      }
      OptionalLong amount = MoneyText.parse(text);
      return amount.isPresent()
          ? Optional.of(Optional.of(amount.getAsLong()))
          : Optional.<Optional<Long>>empty();
    });
  }

  public Duration duration(String key) {
    return parsed(key, "a duration such as 250ms, 15s, 2m", Durations::parse);
  }

  public LocalDate date(String key) {
    return parsed(key, "a date such as 2026-11-30", text -> {
      try {
        return Optional.of(LocalDate.parse(text));
      } catch (DateTimeParseException notOne) {
        return Optional.empty();
      }
    });
  }

  /** One of the values, by the name that {@code name} gives it. */
  public <E extends Enum<E>> E choice(String key, E[] values, Function<E, String> name) {
    return parsed(key, names(values, name, " or "), text -> named(values, name, text));
  }

  /** As {@link #choice}; an empty text is {@code usual}. */
  public <E extends Enum<E>> E choice(String key, E[] values, Function<E, String> name, E usual) {
    return parsed(
        key,
        names(values, name, " or "),
        text -> text.isEmpty() ? Optional.of(usual) : named(values, name, text));
  }

  private static <E extends Enum<E>> Optional<E> named(
      E[] values, Function<E, String> name, String text) {
    return Arrays.stream(values).filter(one -> name.apply(one).equals(text)).findFirst();
  }

  private static <E extends Enum<E>> String names(
      E[] values, Function<E, String> name, String between) {
    return Arrays.stream(values).map(name).collect(Collectors.joining(between));
  }

  /** Some of the values, each by the name that {@code name} gives it. */
  public <E extends Enum<E>> Set<E> choices(String key, E[] values, Function<E, String> name) {
    return parsed(key, "one or more of " + names(values, name, ", "), text -> {
      List<String> items = List.of(text.split(",", -1));
      Set<E> chosen = Arrays.stream(values)
          .filter(one -> items.contains(name.apply(one)))
          .collect(Collectors.toUnmodifiableSet());
      return chosen.isEmpty() || chosen.size() != items.size()
          ? Optional.<Set<E>>empty()
          : Optional.of(chosen);
    });
  }

  /** An enum's name as it is written here: {@code provider-policy}. */
  static String lower(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public List<String> list(String key) {
    return List.copyOf(entry(key).items());
  }

  /** Numbers by name, written as a list of {@code name=number}. */
  public Map<String, Double> decimals(String key) {
    return parsed(key, "a list of name=number", text -> {
      Map<String, Double> numbers = new LinkedHashMap<>();
      for (String item : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
        int equals = item.lastIndexOf('=');
        Optional<Double> number = Numbers.decimal(item.substring(equals + 1));
        if (equals < 1 || number.isEmpty()) {
          return Optional.empty();
        }
        numbers.put(item.substring(0, equals).strip(), number.get());
      }
      return Optional.of(Map.copyOf(numbers));
    });
  }

  /** Secrets by name, written as a list of {@code name=secret}, which is never printed. */
  public Map<String, String> secrets(String key) {
    secret(key);
    return texts(key, "a list of id=key, each id once");
  }

  /** Texts by name, written as a list of {@code name=text}. */
  public Map<String, String> texts(String key) {
    return texts(key, "a list of name=text, each name once");
  }

  private Map<String, String> texts(String key, String rule) {
    return parsed(key, rule, text -> {
      Map<String, String> texts = new LinkedHashMap<>();
      for (String item : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
        int equals = item.indexOf('=');
        if (equals < 1
            || texts.put(item.substring(0, equals), item.substring(equals + 1)) != null) {
          return Optional.empty();
        }
      }
      return Optional.of(Map.copyOf(texts));
    });
  }

  private ConfigTree.Entry entry(String key) {
    return reading.entry(prefix + key);
  }

  private <T> T parsed(String key, String rule, Function<String, Optional<T>> parse) {
    return reading.parsed(prefix + key, rule, parse);
  }
}
