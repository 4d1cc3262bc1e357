package dev.askgateway.provider.gemini;

import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

/** Writes an image as a part: its bytes in the request, or an address that Google fetches. */
final class GeminiImage {
  private static final Map<String, String> TYPES = Map.of(
      "png", "image/png",
      "webp", "image/webp",
      "gif", "image/gif",
      "heic", "image/heic",
      "heif", "image/heif");

  private static final String USUAL = "image/jpeg";
  private static final String BASE64 = ";base64";

  private GeminiImage() {}

  static JsonObject part(String url) {
    return url.regionMatches(true, 0, "data:", 0, 5)
        ? new JsonObject().put("inlineData", inline(url))
        : new JsonObject()
            .put("fileData", new JsonObject().put("mimeType", guess(url)).put("fileUri", url));
  }

  /** {@code data:image/png;base64,AAAA}, or the same without {@code ;base64} and with % signs. */
  private static JsonObject inline(String url) {
    int comma = url.indexOf(',') < 0 ? url.length() : url.indexOf(',');
    String type = url.substring(5, comma);
    String data = url.substring(Math.min(comma + 1, url.length()));
    if (type.toLowerCase(Locale.ROOT).endsWith(BASE64)) {
      type = type.substring(0, type.length() - BASE64.length());
    } else {
      data = Base64.getEncoder().encodeToString(bytes(data));
    }
    int parameters = type.indexOf(';');
    String plain = parameters < 0 ? type : type.substring(0, parameters);
    return new JsonObject().put("mimeType", plain.isEmpty() ? USUAL : plain).put("data", data);
  }

  private static byte[] bytes(String percentEncoded) {
    try {
      return URLDecoder.decode(percentEncoded.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
          .getBytes(StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException notEncoded) {
      return percentEncoded.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /** The type by the address's ending: the request has to name one. */
  private static String guess(String url) {
    String path = url.split("[?#]", 2)[0].toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), USUAL);
  }
}
