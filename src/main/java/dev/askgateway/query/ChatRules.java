package dev.askgateway.query;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The networks and chats a question is limited to: "on WhatsApp", "in the family group", "en mi chat con Ana". */
final class ChatRules {
  private static final Map<String, String> PLATFORMS = new LinkedHashMap<>();

  static {
    platform("whatsapp", "whatsapp|whats app|wsp|wpp|wassap");
    platform("telegram", "telegram");
    platform("imessage", "imessages?|i message");
    platform("instagram", "instagram|insta|ig");
    platform("slack", "slack");
    platform("signal", "signal");
    platform("discord", "discord");
    platform("messenger", "(?:facebook |fb )?messenger|facebook|fb");
    platform("google-messages", "google messages|sms");
    platform("google-chat", "google chat|gchat");
    platform("google-voice", "google voice");
    platform("linkedin", "linkedin|linked in");
    platform("x", "x|twitter");
    platform("bluesky", "bluesky");
    platform("zulip", "zulip");
    platform("irc", "irc");
  }

  private static final String NAMES = String.join("|", PLATFORMS.values());
  private static final String OR = "(?:\\s*,\\s*|\\s+(?:or|and|o|y)\\s+)(?:(?:on|in|en|por)\\s+)?";

  /** "Signal" and "X" are other words too: only after a word that leads to a place, and then as a list. */
  private static final Pattern LIMITS = Pattern.compile(
      "\\b(not |except )?(?:on|in|via|over|through|using|from|en|por|usando)\\s+(?:my\\s+|mi\\s+)?((?:"
          + NAMES + ")(?:" + OR + "(?:" + NAMES + "))*)(?![\\p{L}\\p{N}])");

  private static final Pattern MENTIONED =
      Pattern.compile("(?<![\\p{L}\\p{N}])(?:" + NAMES + ")(?![\\p{L}\\p{N}])");

  private static final String WORDS = "((?:[\\p{L}\\p{N}#&'_-]+ ?){1,4}?)";
  private static final List<Pattern> CHATS = List.of(
      Pattern.compile(
          "\\b(?:in|from|on) (?:my |our |the |a )?(?:chat|conversation|dm|dms|thread|convo) with "
              + "((?:[\\p{L}'-]+)(?: (?:and|y) [\\p{L}'-]+)*)"),
      Pattern.compile("\\ben (?:mi |el |la |nuestro |nuestra )?(?:chat|conversacion|hilo) con "
          + "((?:[\\p{L}'-]+)(?: (?:and|y) [\\p{L}'-]+)*)"),
      Pattern.compile("\\b(?:in|from|on) (?:the |my |our )" + WORDS
          + " ?(?:group chat|group|chat|channel|server|thread)\\b"),
      Pattern.compile(
          "\\b(?:in|from) (?:the |my |our )?(?:group chat|group|chat|channel) (?:called |named )\"?"
              + WORDS + "\"?(?=$|[?.!,\"]| (?:about|on|in|yesterday|today|last|this))"),
      Pattern.compile(
          "\\ben (?:el|mi|nuestro) (?:grupo|chat|canal) (?:de la |de los |de las |del |de mi |de |llamado )?"
              + "([\\p{L}\\p{N}'_-]+)"),
      Pattern.compile("(?<![\\p{L}\\p{N}&])#([a-z][a-z0-9_-]{1,60})"));

  /** What stands before "chat" without being its name. */
  private static final Set<String> NO_NAMES = Set.of(
      "group",
      "same",
      "last",
      "whole",
      "this",
      "that",
      "other",
      "current",
      "first",
      "whatsapp",
      "telegram",
      "slack",
      "signal",
      "discord",
      "instagram",
      "messenger",
      "con",
      "que",
      "de",
      "grupal",
      "ayer",
      "hoy");

  private ChatRules() {}

  private static void platform(String id, String names) {
    PLATFORMS.put(id, names);
  }

  /** All that a plan can name. */
  static List<String> platforms() {
    return List.copyOf(PLATFORMS.keySet());
  }

  /** Whether any platform is named, limit or not. */
  static boolean mentionsPlatform(String folded) {
    return MENTIONED.matcher(folded).find();
  }

  /** Lower-case ids, in the question's order; those that are named to be left out are not among them. */
  static List<String> platforms(String folded) {
    return platforms(folded, false);
  }

  /** Those that are named to be left out. */
  static List<String> platformsLeftOut(String folded) {
    return platforms(folded, true);
  }

  private static List<String> platforms(String folded, boolean leftOut) {
    Set<String> ids = new LinkedHashSet<>();
    for (Matcher limit = LIMITS.matcher(folded); limit.find(); ) {
      if ((limit.group(1) != null) == leftOut) {
        for (String name : limit.group(2).split(OR)) {
          PLATFORMS.forEach((id, names) -> {
            if (name.matches(names)) {
              ids.add(id);
            }
          });
        }
      }
    }
    return List.copyOf(ids);
  }

  /** The names by which chats are called, as the question writes them. */
  static List<String> chatNames(String question) {
    OriginalText text = OriginalText.of(question);
    Set<String> names = new LinkedHashSet<>();
    for (Pattern pattern : CHATS) {
      for (Matcher chat = pattern.matcher(text.folded()); chat.find(); ) {
        String folded = chat.group(1).strip();
        boolean named = !folded.isEmpty()
            && !NO_NAMES.contains(folded)
            && !StopWords.isStop(folded)
            && !StopWords.isTime(folded);
        if (named) {
          String name = text.original(chat.start(1), chat.end(1));
          names.add(
              name.endsWith("'s") || name.endsWith("\u2019s")
                  ? name.substring(0, name.length() - 2)
                  : name);
        }
      }
    }
    return List.copyOf(names);
  }
}
