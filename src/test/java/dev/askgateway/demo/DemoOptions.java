package dev.askgateway.demo;

import java.util.Properties;

/**
 * What {@code -D} may say to the demo.
 *
 * @param port {@code -Dport}: where it listens
 * @param persons {@code -Ddemo.persons}: how many have the sample conversations, each their own copy
 * @param scripted {@code -Ddemo.provider=scripted}: whether a {@link ScriptedModel} answers
 */
record DemoOptions(int port, int persons, boolean scripted) {
  private static final int MOST_PERSONS = 1000;

  /** @throws DemoRun.Unusable if a property has a value that it cannot have */
  static DemoOptions of(Properties properties) {
    String provider = properties.getProperty("demo.provider", "");
    if (!provider.isEmpty() && !provider.equals("scripted")) {
      throw new DemoRun.Unusable(
          "-Ddemo.provider=" + provider + " is unknown: it can be scripted, or be left out.", null);
    }
    return new DemoOptions(
        number(properties, "port", "8080", 65_535),
        number(properties, "demo.persons", "1", MOST_PERSONS),
        !provider.isEmpty());
  }

  private static int number(Properties properties, String property, String otherwise, int most) {
    String text = properties.getProperty(property, otherwise);
    int number = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > most) {
      throw new DemoRun.Unusable(
          "-D" + property + "=" + text + " must be a number from 1 to " + most + ".", null);
    }
    return number;
  }
}
