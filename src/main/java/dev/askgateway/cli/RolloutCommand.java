package dev.askgateway.cli;

import dev.askgateway.core.UserId;
import dev.askgateway.store.Rollout.State;
import dev.askgateway.store.RolloutCommands;
import dev.askgateway.store.RolloutCommands.Wanted;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The commands about rollouts; they connect as the owner of the tables. */
@Command(
    name = "rollout",
    description = {
      "Gives a share of the accounts another profile, or another version of retrieval, than the rest,",
      "and takes it back.",
      "Connects as the owner of the tables. Exit code 1 when nothing was changed."
    })
final class RolloutCommand {
  @ParentCommand
  private @Nullable Cli cli;

  @Spec
  private @Nullable CommandSpec spec;

  @Command(
      name = "start",
      description = {
        "Begins a rollout, of which one runs at a time; nodes follow within seconds.",
        "Listed accounts have the candidate whatever the share."
      })
  int start(
      @Parameters(paramLabel = "NAME", description = "What it is called from now on.") String name,
      @Option(
              names = "--profile",
              paramLabel = "CONTROL=CANDIDATE",
              description = "Questions of the first profile are answered by the second.")
          @Nullable
          String profile,
      @Option(
              names = "--retrieval",
              paramLabel = "VERSION",
              description = "Questions are searched with that one of retrieval.versions.")
          @Nullable
          String retrieval,
      @Option(
              names = "--share",
              defaultValue = "0",
              paramLabel = "PERCENT",
              description = "0 to 100 (default: 0).")
          int share,
      @Option(
              names = "--accounts",
              split = ",",
              paramLabel = "ID",
              description = "Accounts that have the candidate by name, comma separated.")
          @Nullable
          List<String> accounts,
      @Mixin AuthorOptions author) {
    requireName(name);
    requireShare(share);
    RolloutCandidate candidate = candidate(profile, retrieval);
    List<String> listed = listed(accounts == null ? List.of() : accounts);
    Wanted wanted = new Wanted(
        name, candidate.kind(), candidate.control(), candidate.candidate(), share, listed);
    return told(
        change(commands -> commands.start(wanted, author.author())),
        "Begun: " + name + " at " + share + " % and " + listed.size() + " listed accounts.",
        "Another rollout runs: rollout finish or rollout rollback first.");
  }

  private List<String> listed(List<String> accounts) {
    List<String> stripped = accounts.stream().map(String::strip).distinct().toList();
    if (!stripped.stream().allMatch(UserId::isValid)) {
      throw wrong("an account must be 1 to 255 characters without control characters");
    }
    return stripped;
  }

  private RolloutCandidate candidate(@Nullable String profile, @Nullable String retrieval) {
    try {
      if (profile != null && retrieval == null) {
        return RolloutCandidate.ofProfile(profile, parent().models().catalogue());
      } else if (retrieval != null && profile == null) {
        return RolloutCandidate.ofRetrieval(retrieval, parent().retrievalVersions());
      }
      throw wrong("either --profile or --retrieval says what is rolled out");
    } catch (IllegalArgumentException refused) {
      throw wrong(String.valueOf(refused.getMessage()));
    }
  }

  @Command(name = "share", description = "Changes the share of the rollout that runs.")
  int share(
      @Parameters(index = "0", paramLabel = "NAME", description = "The rollout.") String name,
      @Parameters(index = "1", paramLabel = "PERCENT", description = "0 to 100.") int share,
      @Mixin AuthorOptions author) {
    requireShare(share);
    return told(
        change(commands -> commands.change(name, State.RUNNING, share, author.author())),
        "Done: " + name + " is at " + share + " %.",
        "No rollout of that name runs, or it is at that share already: " + name + ".");
  }

  @Command(
      name = "rollback",
      description = "Takes a rollout back: everybody is answered as it is configured.")
  int rollback(
      @Parameters(paramLabel = "NAME", description = "The rollout.") String name,
      @Mixin AuthorOptions author) {
    return told(
        change(commands -> commands.change(name, State.ROLLED_BACK, 0, author.author())),
        "Taken back: " + name + ".",
        noSuch(name));
  }

  @Command(
      name = "finish",
      description = {
        "Ends a rollout: everybody is answered as it is configured, which by now should be",
        "what the candidate was."
      })
  int finish(
      @Parameters(paramLabel = "NAME", description = "The rollout.") String name,
      @Mixin AuthorOptions author) {
    return told(
        change(commands -> commands.change(name, State.FINISHED, 0, author.author())),
        "Finished: " + name + ". What the configuration says holds for everybody.",
        noSuch(name));
  }

  @Command(name = "status", description = "Lists the newest changes, the newest first.")
  int status() {
    try (Visit owner = Visit.asOwner(parent().database())) {
      List<String> lines = owner.await(new RolloutCommands(owner.database()).history());
      lines.forEach(parent().out()::println);
      if (lines.isEmpty()) {
        parent().out().println("Nothing was ever changed: models are on, nothing is rolled out.");
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private boolean change(Function<RolloutCommands, Future<Boolean>> change) {
    try (Visit owner = Visit.asOwner(parent().database())) {
      return owner.await(change.apply(new RolloutCommands(owner.database())));
    }
  }

  private int told(boolean done, String what, String otherwise) {
    parent().out().println(done ? what : otherwise);
    return done ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static String noSuch(String name) {
    return "No rollout of that name runs: " + name + ".";
  }

  private void requireName(String name) {
    if (!name.matches("[a-z0-9][a-z0-9._-]{0,39}")) {
      throw wrong("a name must be small letters, digits and . _ -, at most 40");
    }
  }

  private void requireShare(int share) {
    if (share < 0 || share > 100) {
      throw wrong("a share must be 0 to 100 per cent");
    }
  }

  private ParameterException wrong(String message) {
    if (spec == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return new ParameterException(spec.commandLine(), message);
  }

  private Cli parent() {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli;
  }
}
