package dev.askgateway.cli;

import dev.askgateway.config.ModelSettings;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.store.VersionCommands;
import dev.askgateway.store.VersionCommands.Built;
import dev.askgateway.store.VersionCommands.Cutover;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The commands about versions of the index; they connect as the owner of the tables. */
@Command(
    name = "index",
    description = {
      "Moves the index of messages to another embedding model, without a gap in search.",
      "Connects as the owner of the tables. Exit code 1 when nothing was changed."
    })
final class IndexCommands {
  @ParentCommand
  private @Nullable Cli cli;

  @Spec
  private @Nullable CommandSpec spec;

  @Command(
      name = "build",
      description = {
        "Begins a version beside the one that serves, or goes on with one; nodes fill it.",
        "New messages get the vectors of both from then on."
      })
  int build(
      @Parameters(
              arity = "0..1",
              paramLabel = "MODEL",
              description =
                  "One of profiles.embedding_messages and embedding_messages_next (default: the latter's).")
          @Nullable
          String name,
      @Option(names = "--again", description = "Also with the model that serves already.")
          boolean again) {
    ModelConfig model = model(name);
    String upstream = model.provider() + ":" + model.model();
    int dimensions = model.capabilities().embeddingDimensions();
    try (Visit owner = Visit.asOwner(parent().database())) {
      Built built = owner.await(commands(owner).build(model.id(), upstream, dimensions, again));
      parent()
          .out()
          .println(
              switch (built) {
                case BEGUN -> "Begun: a version of " + model.id() + ". See index status.";
                case RESUMED -> "Gone on with: the version of " + model.id() + " that was begun.";
                case SERVING ->
                  "Nothing to do: " + model.id() + " serves already; --again builds it anew.";
                case BUILDING ->
                  "Another version is being built: index cutover or index rollback first.";
                case RETIRING ->
                  "The version before is still kept to go back to: index remove first.";
              });
      return code(built == Built.BEGUN || built == Built.RESUMED);
    }
  }

  @Command(
      name = "cutover",
      description = {
        "Puts the version that was built in service, if it is complete and every node has its model.",
        "Nodes follow within seconds; the version before is kept up to date, to go back to."
      })
  int cutover(
      @Option(
              names = "--parked",
              defaultValue = "0",
              paramLabel = "N",
              description = "Most messages the model may have refused (default: 0).")
          long parked) {
    try (Visit owner = Visit.asOwner(parent().database())) {
      Cutover cut = owner.await(commands(owner).cutover(parked));
      parent()
          .out()
          .println(
              switch (cut.outcome()) {
                case DONE -> "Done: searches use the new version. To go back: index rollback.";
                case NONE -> "Nothing is being built.";
                case INCOMPLETE ->
                  "Not yet complete: messages without a vector " + cut.missing() + ", refused "
                      + cut.parked() + ".";
                case NODES ->
                  "Nodes without its model: " + cut.nodes()
                      + ". Give it to them in profiles.embedding_messages_next, or stop them.";
              });
      return code(cut.outcome() == VersionCommands.Cut.DONE);
    }
  }

  @Command(
      name = "rollback",
      description =
          "Puts the version before in service again; without one, gives up what is being built.")
  int rollback() {
    try (Visit owner = Visit.asOwner(parent().database())) {
      VersionCommands.Back back = owner.await(commands(owner).rollback());
      parent()
          .out()
          .println(
              switch (back) {
                case BACK -> "Done: searches use the version before.";
                case STOPPED -> "Given up: the version that was being built; index build goes on.";
                case NONE -> "There is nothing to go back to.";
              });
      return code(back != VersionCommands.Back.NONE);
    }
  }

  @Command(
      name = "remove",
      description = {
        "Removes what was kept to go back to, and what was given up.",
        "What served within the last minute stays: a node may still search it."
      })
  int remove() {
    try (Visit owner = Visit.asOwner(parent().database())) {
      parent().out().println("Vectors removed: " + owner.await(commands(owner).remove()) + ".");
    }
    return 0;
  }

  @Command(
      name = "status",
      description =
          "Shows every version: how complete it is, what waits, what was refused and why.")
  int status() {
    try (Visit owner = Visit.asOwner(parent().database())) {
      new IndexReport(parent().out()).print(owner.await(commands(owner).report()));
    }
    return 0;
  }

  private ModelConfig model(@Nullable String name) {
    ModelSettings models = parent().models();
    List<Profile> profiles = models.messageProfiles();
    String wanted = name != null
        ? name
        : profiles.stream()
            .filter(profile -> profile.name().equals(ModelSettings.MESSAGES_NEXT))
            .map(profile -> profile.models().get(0))
            .findFirst()
            .orElseThrow(
                () -> wrong("name a MODEL, or set profiles.embedding_messages_next.models to one"));
    ModelConfig model = models.catalogue().models().get(wanted);
    boolean named = profiles.stream().anyMatch(profile -> profile.models().contains(wanted));
    if (model == null || !named) {
      throw wrong(
          wanted + " is no model of profiles.embedding_messages or embedding_messages_next");
    }
    return model;
  }

  private ParameterException wrong(String why) {
    if (spec == null) {
      throw new IllegalStateException(why);
    }
    return new ParameterException(spec.subcommands().get("build"), why);
  }

  private static VersionCommands commands(Visit owner) {
    return new VersionCommands(owner.database());
  }

  private static int code(boolean done) {
    return done ? 0 : 1;
  }

  private Cli parent() {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli;
  }
}
