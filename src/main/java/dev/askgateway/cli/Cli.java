package dev.askgateway.cli;

import dev.askgateway.config.AccountSettings;
import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.DatabaseSettings;
import dev.askgateway.config.Durations;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.config.ManagementAccess;
import dev.askgateway.config.ModelAccess;
import dev.askgateway.config.ModelSettings;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.provider.byok.Resealing;
import dev.askgateway.store.Migrations;
import dev.askgateway.telemetry.LogLevels;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * The commands. Exit codes: 0 done, 1 it could not be done (one sentence on the error output), 2 the
 * command line was wrong.
 */
@Command(
    name = "ask-gateway",
    description = "Grounded answers over a person's own conversations, streamed.",
    footer = {"", "Without a command it serves. Exit codes: 0 done, 1 failed, 2 wrong usage."},
    subcommands = {
      CommandLine.HelpCommand.class,
      ProviderCommands.class,
      PricesCommands.class,
      BudgetCommands.class,
      IndexCommands.class,
      RolloutCommand.class,
      SwitchCommand.class,
      LogLevelCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = Cli.Version.class,
    scope = ScopeType.INHERIT)
public final class Cli implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Cli.class);

  private final Map<String, String> environment;
  private final Server server;
  private final Checks checks;
  private final Consumer<Runnable> onStop;
  private final PrintWriter out;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "YAML laid over the defaults; otherwise the file that GATEWAY_CONFIG names.")
  private @Nullable Path file;

  Cli(
      Map<String, String> environment,
      Server server,
      Checks checks,
      Consumer<Runnable> onStop,
      PrintWriter out) {
    this.environment = environment;
    this.server = server;
    this.checks = checks;
    this.onStop = onStop;
    this.out = out;
  }

  /** Runs a command line on the process's own streams and signals and returns its exit code. */
  public static int run(
      String[] arguments, Map<String, String> environment, Server server, Checks checks) {
    // What is queued for the log has to be out before the process is gone.
    Runtime.getRuntime().addShutdownHook(new Thread(LogLevels::close, "ask-gateway-log"));
    return run(
        arguments,
        environment,
        server,
        checks,
        new StopSignals(),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  static int run(
      String[] arguments,
      Map<String, String> environment,
      Server server,
      Checks checks,
      Consumer<Runnable> onStop,
      PrintWriter out,
      PrintWriter err) {
    return new CommandLine(new Cli(environment, server, checks, onStop, out))
        .registerConverter(Duration.class, Cli::ttl)
        .registerConverter(UserId.class, Cli::person)
        .registerConverter(Dollars.class, Dollars::parse)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler((failure, command, parsed) -> {
          LOG.debug("failed", failure);
          err.println(Sentence.of(failure));
          return CommandLine.ExitCode.SOFTWARE;
        })
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    return serve();
  }

  @Command(name = "serve", description = "Serves until it is told to stop (the default).")
  int serve() throws Exception {
    return new Serve(server, onStop).run(ConfigLoader.load(file, environment))
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }

  @Command(name = "migrate", description = "Brings the database's schema to this version.")
  int migrate() {
    int applied = new Migrations(database().store()).migrate();
    out.println("The schema is up to date; migrations applied: " + applied + ".");
    return CommandLine.ExitCode.OK;
  }

  @Command(name = "token", description = "Signs a token with auth.secret, for development.")
  int token(
      @Option(names = "--sub", required = true, paramLabel = "ID", description = "Whose token.")
          UserId person,
      @Option(
              names = "--ttl",
              defaultValue = "1h",
              paramLabel = "TIME",
              description = "How long it is good: 30s to 365d (default: 1h).")
          Duration ttl) {
    AuthConfig auth = ConfigLoader.load(file, environment, GatewayConfig::authOnly);
    Vertx vertx = Vertx.vertx();
    try {
      out.println(DevToken.sign(vertx, auth, person, ttl));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      name = "config",
      description = "Prints the effective configuration, secrets as stars, and checks it.")
  int config() {
    out.print(ConfigLoader.print(file, environment));
    out.flush();
    ConfigLoader.load(file, environment);
    return CommandLine.ExitCode.OK;
  }

  @Command(name = "keys", description = "Looks after the keys that seal people's own secrets.")
  int keys(
      @CommandLine.Parameters(
              paramLabel = "reseal",
              converter = Keys.OfWord.class,
              description = "Seals every secret with byok.currentKey, so that older keys may go.")
          Keys task) {
    Resealing.Count count =
        task.run(database(), ConfigLoader.load(file, environment, GatewayConfig::byokOnly));
    out.println("Secrets sealed anew: " + count.sealed() + "; left, as they do not open: "
        + count.left() + ".");
    return count.left() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  @Command(
      name = "rebill",
      description = {
        "Computes the cost of every usage row again, with the prices that it names.",
        "Connects as the owner of the tables. Exit code 1 when a row has another cost."
      })
  int rebill(
      @Option(
              names = "--as-of",
              required = true,
              paramLabel = "DATE",
              description = "The last day to look at, in UTC: 2026-11-30.")
          LocalDate asOf,
      @Option(
              names = "--check",
              required = true,
              description = "Tells the differences and changes nothing: all that it can do.")
          boolean check) {
    try (Visit owner = Visit.asOwner(database())) {
      return new Rebill(out).check(owner, asOf)
          ? CommandLine.ExitCode.OK
          : CommandLine.ExitCode.SOFTWARE;
    }
  }

  @Command(
      name = "reconcile",
      description = {
        "Looks whether requests, accounts, grants, ledger and usage agree, and copies of accounts in Redis.",
        "Connects as the owner of the tables. Exit code 1 when something differs."
      })
  int reconcile(
      @Option(names = "--persons", description = "Names persons, of whom else a digest is printed.")
          boolean persons,
      @Option(
              names = "--limit",
              defaultValue = "1000",
              paramLabel = "N",
              description = "Most differences to print (default: 1000).")
          int limit) {
    try (Visit owner = Visit.asOwner(database())) {
      return new Reconcile(out, persons, limit)
              .run(owner, ConfigLoader.load(file, environment, GatewayConfig::redisOnly))
          ? CommandLine.ExitCode.OK
          : CommandLine.ExitCode.SOFTWARE;
    }
  }

  DatabaseSettings database() {
    return ConfigLoader.load(file, environment, GatewayConfig::databaseOnly);
  }

  AccountSettings accounts() {
    return ConfigLoader.load(file, environment, GatewayConfig::accountsOnly);
  }

  ManagementAccess management() {
    return ConfigLoader.load(file, environment, GatewayConfig::managementOnly);
  }

  ModelSettings models() {
    return ConfigLoader.load(file, environment, GatewayConfig::modelsOnly).models();
  }

  Set<String> retrievalVersions() {
    return ConfigLoader.load(file, environment, GatewayConfig::retrievalVersionsOnly)
        .keySet();
  }

  PrintWriter out() {
    return out;
  }

  /** What {@code provider check} does. */
  int check(List<String> names) throws Exception {
    ModelAccess access = ConfigLoader.load(file, environment, GatewayConfig::modelsOnly);
    return new ProviderCheck(access, checks, out).run(names)
        ? CommandLine.ExitCode.OK
        : CommandLine.ExitCode.SOFTWARE;
  }

  private static Duration ttl(String text) {
    return Durations.parse(text)
        .filter(ttl -> ttl.toSeconds() >= 30 && ttl.toDays() <= 365)
        .orElseThrow(
            () -> new TypeConversionException("it must be 30s to 365d, such as 15m or 1h"));
  }

  private static UserId person(String text) {
    if (!UserId.isValid(text)) {
      throw new TypeConversionException(
          "it must be 1 to 255 characters without control characters");
    }
    return new UserId(text);
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Cli.class.getPackage().getImplementationVersion();
      return new String[] {"ask-gateway " + (version == null ? "unpackaged" : version)};
    }
  }
}
