package dev.askgateway.prompt;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidenceWindow;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Evidence as a model reads it: one head line a window, one line a message, inside a fence. The parts
 * of a line are kept apart by characters that no text of other people holds ({@link Untrusted}).
 */
final class EvidenceText {
  static final String OPEN = "<<<evidence\n";
  static final String CLOSE = "evidence>>>";
  private static final Map<String, String> PLATFORMS =
      Map.of("whatsapp", "WhatsApp", "imessage", "iMessage", "linkedin", "LinkedIn");

  private final DateTimeFormatter time;

  EvidenceText(ZoneId zone) {
    time = DateTimeFormatter.ofPattern("EEE d MMM uuuu HH:mm", Locale.ENGLISH).withZone(zone);
  }

  /** The windows, whose texts must be harmless already. */
  String of(List<EvidenceWindow> windows) {
    return windows.stream()
        .flatMap(window -> lines(window).stream())
        .collect(Collectors.joining("", OPEN, CLOSE));
  }

  /** The window's lines, each with its end. */
  List<String> lines(EvidenceWindow window) {
    Map<String, EvidenceMessage> byId = window.messages().stream()
        .collect(Collectors.toMap(
            EvidenceMessage::platformMessageId, message -> message, (one, other) -> one));
    String name = window.chatName() == null ? "" : ", chat \"" + window.chatName() + "\"";
    List<String> lines = new ArrayList<>();
    lines.add("[" + window.label() + "] " + platform(window.platform()) + name
        + (window.isGroup() ? ", group" : "") + "\n");
    if (window.note() != null) {
      lines.add("  (" + window.note() + ")\n");
    }
    window.messages().forEach(message -> lines.add(line(message, byId)));
    return lines;
  }

  private String line(EvidenceMessage message, Map<String, EvidenceMessage> byId) {
    EvidenceMessage target = message.replyTo() == null ? null : byId.get(message.replyTo());
    return (message.hit() ? "> " : "  ") + time.format(message.timestamp()) + " | "
        + message.senderName()
        + (target == null ? "" : " (in reply to " + target.senderName() + ")")
        + ": " + message.text() + "\n";
  }

  private static String platform(String platform) {
    String known = PLATFORMS.get(platform);
    if (known != null) {
      return known;
    }
    String name = Untrusted.name(platform);
    return name.isEmpty()
        ? name
        : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
