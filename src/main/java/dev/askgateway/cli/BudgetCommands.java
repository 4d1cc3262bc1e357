package dev.askgateway.cli;

import dev.askgateway.budget.Exchange;
import dev.askgateway.config.AccountSettings;
import dev.askgateway.core.UserId;
import dev.askgateway.store.BudgetAccount;
import dev.askgateway.store.BudgetChange;
import dev.askgateway.store.BudgetChange.Setting;
import dev.askgateway.store.BudgetRepository;
import dev.askgateway.store.Payment;
import dev.askgateway.store.UsageTotals;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The commands about one person's account; they connect as the owner of the tables. */
@Command(
    name = "budget",
    description = {
      "Looks after what a person may spend. Connects as the owner of the tables.",
      "Amounts are US dollars with at most six decimals: 1.5"
    })
final class BudgetCommands {
  @ParentCommand
  private @Nullable Cli cli;

  @Spec
  private @Nullable CommandSpec spec;

  @Command(name = "show", description = "Shows an account as it stands now, and what was used.")
  int show(@Parameters(paramLabel = "USER", description = "Whose.") UserId user) {
    AccountSettings settings = parent().accounts();
    try (Visit owner = Visit.asOwner(settings.database())) {
      BudgetRepository budgets = budgets(owner, settings);
      Optional<BudgetAccount> account = owner.await(budgets.find(user));
      if (account.isEmpty()) {
        parent().out().println("There is no such account yet: the first request opens it.");
        return 0;
      }
      print(account.get());
      LocalDate today = LocalDate.now(Clock.systemUTC());
      print("month", owner.await(budgets.usage(user, today.withDayOfMonth(1), today)));
      print("today", owner.await(budgets.usage(user, today, today)));
    }
    return 0;
  }

  @Command(
      name = "set",
      description = "Sets limits of an account. What is not named stays as it is.")
  int set(
      @Parameters(paramLabel = "USER", description = "Whose.") UserId user,
      @Option(
              names = "--monthly",
              paramLabel = "USD",
              description = "The allowance of each month, this one included; none: no limit.")
          @Nullable
          Dollars monthly,
      @Option(
              names = "--request-cap",
              paramLabel = "USD",
              description = "Most that one request may cost; none: the gateway's own.")
          @Nullable
          Dollars requestCap,
      @Option(
              names = "--daily-warning",
              paramLabel = "USD",
              description = "What the person is warned at in a day; none: the gateway's own.")
          @Nullable
          Dollars dailyWarning) {
    BudgetChange change =
        new BudgetChange(setting(monthly), null, setting(requestCap), setting(dailyWarning));
    AccountSettings settings = parent().accounts();
    try (Visit owner = Visit.asOwner(settings.database())) {
      print(owner.await(budgets(owner, settings).change(user, change)));
    }
    return 0;
  }

  @Command(
      name = "grant",
      description = {
        "Grants credits, which are used after the allowance, those that expire first before others.",
        "A key grants once: the same again changes nothing, and is an error with another amount."
      })
  int grant(
      @Parameters(paramLabel = "USER", description = "Whose.") UserId user,
      @Parameters(paramLabel = "USD", description = "How much.") Dollars amount,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "SOURCE_KEY",
              description = "Names the payment or promise behind it.")
          String key,
      @Option(
              names = "--expires",
              paramLabel = "DATE",
              description = "The last day on which they can be used, in UTC: 2026-12-31.")
          @Nullable
          LocalDate lastDay) {
    Long microUsd = amount.microUsd();
    check(microUsd != null && microUsd > 0, "USD must be more than nothing");
    checkCredits(key, lastDay);
    AccountSettings settings = parent().accounts();
    try (Visit owner = Visit.asOwner(settings.database())) {
      boolean granted = owner.await(budgets(owner, settings)
          .grant(user, key, microUsd == null ? 0 : microUsd, expiry(lastDay)));
      parent()
          .out()
          .println((granted ? "Granted: " : "Granted before: ") + Dollars.text(microUsd) + ".");
    }
    return 0;
  }

  @Command(
      name = "top-up",
      description = {
        "Gives credits for a payment in any currency, at a rate and a markup. A key gives once.",
        "Example: budget top-up ana 1000 INR --rate 83.5 --markup 1.4 --key payment-4711"
      })
  int topUp(
      @Parameters(paramLabel = "USER", description = "Whose.") UserId user,
      @Parameters(paramLabel = "AMOUNT", description = "What was paid: 1000.50") BigDecimal amount,
      @Parameters(paramLabel = "CURRENCY", description = "In what: INR, EUR, USD.") String currency,
      @Option(
              names = "--rate",
              required = true,
              paramLabel = "RATE",
              description = "Units of the currency for one US dollar that day; 1 for USD.")
          BigDecimal rate,
      @Option(
              names = "--markup",
              defaultValue = "1",
              paramLabel = "FACTOR",
              description = "The rate times this is what a dollar of credits costs; 1 or more.")
          BigDecimal markup,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "SOURCE_KEY",
              description = "Names the payment.")
          String key,
      @Option(
              names = "--expires",
              paramLabel = "DATE",
              description = "The last day on which the credits can be used, in UTC: 2026-12-31.")
          @Nullable
          LocalDate lastDay) {
    Exchange exchange = exchange(amount, currency, rate, markup);
    check(exchange.creditsMicroUsd() > 0, "AMOUNT must be worth something");
    checkCredits(key, lastDay);
    AccountSettings settings = parent().accounts();
    try (Visit owner = Visit.asOwner(settings.database())) {
      boolean given = owner.await(budgets(owner, settings)
          .topUp(
              user,
              key,
              new Payment(amount, currency, rate, markup),
              exchange.creditsMicroUsd(),
              exchange.paidMicroUsd(),
              expiry(lastDay)));
      parent()
          .out()
          .println(
              given
                  ? "Given: " + Dollars.text(exchange.creditsMicroUsd()) + ", for a payment worth "
                      + Dollars.text(exchange.paidMicroUsd()) + "; fx "
                      + Dollars.text(exchange.differenceMicroUsd()) + "."
                  : "Given before.");
    }
    return 0;
  }

  private Exchange exchange(
      BigDecimal amount, String currency, BigDecimal rate, BigDecimal markup) {
    try {
      return new Exchange(amount, currency, rate, markup);
    } catch (IllegalArgumentException refused) {
      check(false, String.valueOf(refused.getMessage()));
      throw refused;
    }
  }

  private void checkCredits(String key, @Nullable LocalDate lastDay) {
    check(!key.isBlank(), "--key must not be empty");
    check(
        lastDay == null || !lastDay.isBefore(LocalDate.now(Clock.systemUTC())),
        "--expires must not be over");
  }

  private static @Nullable Instant expiry(@Nullable LocalDate lastDay) {
    return lastDay == null ? null : lastDay.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  private void check(boolean holds, String otherwise) {
    if (!holds && spec != null) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private void print(BudgetAccount account) {
    BudgetAccount.Allowance allowance = account.allowance();
    line(
        "allowance",
        allowance.month() + "  monthly " + Dollars.text(allowance.monthly()) + "  spent "
            + Dollars.text(allowance.spent()) + "  held " + Dollars.text(allowance.held())
            + (allowance.left() == null ? "" : "  left " + Dollars.text(allowance.left())));
    BudgetAccount.Credits credits = account.credits();
    BudgetAccount.Expiry next = credits.nextExpiry();
    line(
        "credits",
        "left " + Dollars.text(credits.left()) + "  held " + Dollars.text(credits.held())
            + (next == null
                ? ""
                : "  of which " + Dollars.text(next.microUsd()) + " expire at " + next.at()));
    BudgetAccount.Overage overage = account.overage();
    line(
        "overage",
        "cap " + Dollars.text(overage.cap()) + "  spent " + Dollars.text(overage.spent())
            + "  held " + Dollars.text(overage.held()));
    line("request cap", Dollars.text(account.requestCap()));
    BudgetAccount.DailyWarning warning = account.dailyWarning();
    line(
        "daily warning",
        Dollars.text(warning.threshold()) + "  spent today " + Dollars.text(warning.spentToday())
            + (warning.reached() ? "  reached" : ""));
  }

  private void print(String when, UsageTotals totals) {
    line(when, sum(totals.all()));
    totals.byFeature().forEach(one -> line("  " + one.feature(), sum(one.sum())));
    totals
        .byModel()
        .forEach(one -> line("  " + one.provider() + ":" + one.model(), sum(one.sum())));
  }

  private static String sum(UsageTotals.Sum sum) {
    return "requests " + sum.managed().count() + "  charged " + Dollars.text(sum.billableMicroUsd())
        + (sum.own().count() == 0 ? "" : "  with own keys " + sum.own().count());
  }

  private void line(String name, String value) {
    PrintWriter out = parent().out();
    out.println(name + ": " + value);
  }

  private static @Nullable Setting setting(@Nullable Dollars dollars) {
    return dollars == null ? null : new Setting(dollars.microUsd());
  }

  private static BudgetRepository budgets(Visit owner, AccountSettings settings) {
    return new BudgetRepository(owner.database(), settings.policy());
  }

  private Cli parent() {
    if (cli == null) {
      throw new IllegalStateException("it is a command of another one");
    }
    return cli;
  }
}
