package dev.askgateway;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The house")
class ArchitectureTest {
  private static final String ROOT = "dev.askgateway";

  /** A room imports only rooms to its right. */
  private static final List<String> ROOMS = List.of(
      "intake",
      "relay",
      "answer",
      "memory",
      "indexing",
      "retrieval",
      "query",
      "prompt",
      "provider",
      "budget",
      "store",
      "telemetry",
      "core");

  /** They compose: nobody but each other may import them. */
  private static final List<String> ABOVE = List.of("config", "cli");

  private static JavaClasses house;

  @BeforeAll
  static void enter() {
    house = new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages(ROOT);
  }

  static Stream<String> rooms() {
    return ROOMS.stream();
  }

  private static String in(String room) {
    return ROOT + "." + room + "..";
  }

  private static String[] in(List<String> rooms) {
    return rooms.stream().map(ArchitectureTest::in).toArray(String[]::new);
  }

  @Test
  @DisplayName("has no room that the line of imports does not name")
  void everyRoomIsInLine() {
    Set<String> found = house.stream()
        .map(JavaClass::getPackageName)
        .filter(name -> name.startsWith(ROOT + "."))
        .map(name -> name.substring(ROOT.length() + 1).split("\\.")[0])
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isNotEmpty();
    found.removeAll(ROOMS);
    found.removeAll(ABOVE);
    assertThat(found).isEmpty();
  }

  @ParameterizedTest(name = "{0} imports no room to its left, and not config, cli or the root")
  @MethodSource("rooms")
  void importsRunToTheRight(String room) {
    List<String> left = Stream.concat(
            ROOMS.subList(0, ROOMS.indexOf(room)).stream(), ABOVE.stream())
        .toList();
    noClasses()
        .that()
        .resideInAPackage(in(room))
        .should()
        .dependOnClassesThat(resideInAnyPackage(in(left)).or(resideInAPackage(ROOT)))
        .allowEmptyShould(true)
        .check(house);
  }

  @ParameterizedTest(name = "{0} imports only core of our own")
  @MethodSource("pureRooms")
  void pureRoomsKnowCoreOnly(String room) {
    noClasses()
        .that()
        .resideInAPackage(in(room))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(in(room), in("core")))))
        .allowEmptyShould(true)
        .check(house);
  }

  static Stream<String> pureRooms() {
    return Stream.of("relay", "prompt");
  }

  @Test
  @DisplayName("core imports only Java, Vert.x core and JSpecify")
  void coreIsPlain() {
    classes()
        .that()
        .resideInAPackage(in("core"))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(
            in("core"), "java..", "io.vertx.core..", "io.vertx.codegen..", "org.jspecify.."))
        .check(house);
  }

  @Test
  @DisplayName("config does not see the command line or the root")
  void configComposesRoomsOnly() {
    noClasses()
        .that()
        .resideInAPackage(in("config"))
        .should()
        .dependOnClassesThat(resideInAPackage(in("cli")).or(resideInAPackage(ROOT)))
        .check(house);
  }

  /** Wire formats, and what runs in this process in place of one. */
  private static final List<String> DIALECTS =
      List.of("openai", "anthropic", "gemini", "extractive", "onnx");

  static Stream<String> dialects() {
    return DIALECTS.stream();
  }

  @ParameterizedTest(name = "{0} knows no other dialect, no routing and no gate")
  @MethodSource("dialects")
  void dialectsAreApart(String dialect) {
    String[] others = Stream.concat(DIALECTS.stream(), Stream.of("route", "gate"))
        .filter(other -> !other.equals(dialect))
        .map(other -> in("provider." + other))
        .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(in("provider." + dialect))
        .should()
        .dependOnClassesThat(resideInAnyPackage(others))
        .allowEmptyShould(true)
        .check(house);
  }

  @Test
  @DisplayName("what all dialects stand on knows none of them, and the gate does not know routing")
  void providerLayers() {
    noClasses()
        .that()
        .resideInAnyPackage(
            in("provider.http"), in("provider.sse"), in("provider.gate"), in("provider.route"))
        .should()
        .dependOnClassesThat(resideInAnyPackage(
            in(DIALECTS.stream().map(dialect -> "provider." + dialect).toList())))
        .check(house);
    noClasses()
        .that()
        .resideInAnyPackage(in("provider.http"), in("provider.sse"), in("provider.gate"))
        .should()
        .dependOnClassesThat(resideInAPackage(in("provider.route")))
        .check(house);
  }

  @Test
  @DisplayName("SQL clients are used by store only")
  void storeOwnsSql() {
    owned(
        resideInAnyPackage(
            "io.vertx.sqlclient..",
            "io.vertx.pgclient..",
            "org.flywaydb..",
            "org.postgresql..",
            "com.pgvector.."),
        "store");
  }

  @Test
  @DisplayName("the Redis client is used by budget only")
  void budgetOwnsRedis() {
    owned(resideInAPackage("io.vertx.redis.."), "budget");
  }

  @Test
  @DisplayName("HTTP clients are used by provider only")
  void providerOwnsTheHttpClient() {
    owned(
        describe("are HTTP client classes", ArchitectureTest::isHttpClient)
            .or(resideInAnyPackage("io.vertx.ext.web.client..", "java.net.http..")),
        "provider");
  }

  private static boolean isHttpClient(JavaClass type) {
    return type.getPackageName().equals("io.vertx.core.http")
        && (type.getSimpleName().startsWith("HttpClient")
            || type.getSimpleName().startsWith("WebSocketClient")
            || type.getSimpleName().equals("RequestOptions"));
  }

  @Test
  @DisplayName("the HTTP server and its router are used by intake, relay and the root only")
  void intakeAndRelayOwnTheServer() {
    owned(
        describe("are HTTP server classes", ArchitectureTest::isHttpServer)
            .or(resideInAPackage("io.vertx.ext.web..")
                .and(not(resideInAPackage("io.vertx.ext.web.client..")))),
        resideInAnyPackage(in("intake"), in("relay")).or(resideInAPackage(ROOT)));
  }

  private static boolean isHttpServer(JavaClass type) {
    return type.getPackageName().equals("io.vertx.core.http")
        && type.getSimpleName().startsWith("HttpServer");
  }

  @Test
  @DisplayName("meters are used by telemetry only")
  void telemetryOwnsMeters() {
    owned(
        resideInAnyPackage("io.micrometer..", "io.prometheus..", "io.vertx.micrometer.."),
        "telemetry");
  }

  @Test
  @DisplayName("OpenTelemetry is used by telemetry only")
  void telemetryOwnsTraces() {
    owned(
        resideInAnyPackage(
            "io.opentelemetry..", "io.vertx.tracing..", "io.vertx.core.spi.tracing.."),
        "telemetry");
  }

  @Test
  @DisplayName("what writes the log is used by telemetry only")
  void telemetryOwnsTheLog() {
    owned(resideInAnyPackage("ch.qos.logback..", "net.logstash.."), "telemetry");
  }

  private static void owned(DescribedPredicate<JavaClass> driver, String... owners) {
    owned(driver, resideInAnyPackage(in(List.of(owners))));
  }

  private static void owned(
      DescribedPredicate<JavaClass> driver, DescribedPredicate<JavaClass> owners) {
    noClasses()
        .that(resideInAPackage(ROOT + "..").and(not(owners)))
        .should()
        .dependOnClassesThat(driver)
        .check(house);
  }

  @Test
  @DisplayName("every package says what may enter it and is null-marked")
  void packagesAreMarked() {
    List<String> unmarked = house.stream()
        .map(JavaClass::getPackage)
        .distinct()
        .filter(room -> !room.isAnnotatedWith(NullMarked.class))
        .map(JavaPackage::getName)
        .toList();
    assertThat(unmarked).isEmpty();
  }

  @Test
  @DisplayName("no lock is held by a keyword")
  void nothingIsSynchronized() throws IOException {
    noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(house);
    assertThat(sourcesWith("\\bsynchronized\\s*\\(")).isEmpty();
  }

  private static List<Path> sourcesWith(String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> sources =
          files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).isNotEmpty();
      return sources.stream().filter(file -> matches(file, pattern)).toList();
    }
  }

  private static boolean matches(Path file, String pattern) {
    try {
      return Files.readString(file).matches("(?s).*" + pattern + ".*");
    } catch (IOException unreadable) {
      throw new AssertionError(file.toString(), unreadable);
    }
  }

  @Test
  @DisplayName("nobody logs by java.util.logging, and only the command line prints")
  void logsGoOneWay() {
    GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(house);
    noClasses()
        .that()
        .resideOutsideOfPackage(in("cli"))
        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
        .check(house);
  }

  @Test
  @DisplayName("nobody sleeps, and no room blocks a thread on a future")
  void nobodyWaits() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(house);
    noClasses()
        .that()
        .resideOutsideOfPackages(in("cli"))
        .should()
        .callMethod(java.util.concurrent.CompletableFuture.class, "join")
        .orShould()
        .callMethod(java.util.concurrent.CompletableFuture.class, "get")
        .orShould()
        .callMethod(io.vertx.core.Future.class, "await")
        .check(house);
  }
}
