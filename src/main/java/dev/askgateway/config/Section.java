package dev.askgateway.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Typed reading of one section. A value of the wrong type is noted as a problem and its default
 * stands in, so that one start finds all problems; {@link #verify} ends the reading.
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
   * Builds a record of the section in this one. Its constructor's {@link IllegalArgumentException}
   * ("key is value; it must be rule") becomes a problem.
   *
   * @return the record; to be asked for only after {@link #verify}
   */
  public <T> Supplier<T> read(String name, Function<Section, T> build) {
    return reading.build(section(name), build);
  }

  /** Ends the reading: fails with {@link InvalidConfig} if there was any problem. */
  public void verify() {
    reading.verify();
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

  /**
   * A text that has no default.
   *
   * @param sample any valid value: stands in for a missing one while the rest is checked
   */
  public String required(String key, String sample) {
    String value = string(key);
    if (!value.isBlank()) {
      return value;
    }
    reading.problem(
        prefix + key,
        prefix + key + " is missing; set it in the configuration file or" + " as "
            + ConfigTree.variable(prefix + key));
    return sample;
  }

  /** As {@link #required}, for a text that is never printed. */
  public String requiredSecret(String key, String sample) {
    return secret(key).isBlank() ? required(key, sample) : secret(key);
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

  /** One of the names of an enum, in lower case with dashes. */
  public <E extends Enum<E>> E choice(String key, Class<E> type) {
    List<E> all = Arrays.asList(type.getEnumConstants());
    String names = String.join(" or ", all.stream().map(Section::name).toList());
    return parsed(
        key, names, text -> all.stream().filter(one -> name(one).equals(text)).findFirst());
  }

  private static String name(Enum<?> one) {
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

  private ConfigTree.Entry entry(String key) {
    return reading.entry(prefix + key);
  }

  private <T> T parsed(String key, String rule, Function<String, Optional<T>> parse) {
    return reading.parsed(prefix + key, rule, parse);
  }

  String prefix() {
    return prefix;
  }
}
