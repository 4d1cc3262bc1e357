package dev.askgateway.config;

import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

  /** The section in this one. */
  public Section section(String name) {
    return new Section(reading, prefix + name + ".");
  }

  /**
   * Builds a record that checks itself in its constructor. An {@link IllegalArgumentException} of the
   * form "key is value; it must be rule" becomes a problem, and a default stands in for that key.
   */
  <T> T read(Function<Section, T> build) {
    return reading.build(this, build);
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
    String names = Arrays.stream(values).map(name).collect(Collectors.joining(" or "));
    return parsed(key, names, text -> Arrays.stream(values)
        .filter(one -> name.apply(one).equals(text))
        .findFirst());
  }

  static String lower(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
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

  private ConfigTree.Entry entry(String key) {
    return reading.entry(prefix + key);
  }

  private <T> T parsed(String key, String rule, Function<String, Optional<T>> parse) {
    return reading.parsed(prefix + key, rule, parse);
  }
}
