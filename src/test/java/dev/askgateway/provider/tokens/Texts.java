package dev.askgateway.provider.tokens;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Texts to count: what people write in many scripts, what machines write, and what is meant to hurt. */
public final class Texts {
  private Texts() {}

  /** Prose, by its language. */
  public static Map<String, String> prose() {
    Map<String, String> prose = new LinkedHashMap<>();
    prose.put("english", "We meet on Saturday at the old station, and she brings the tickets. ");
    prose.put(
        "german", "Wir treffen uns am Samstag am alten Bahnhof, und sie bringt die Karten mit. ");
    prose.put("spanish", "Quedamos el sábado en la estación vieja y ella trae las entradas. ");
    prose.put("turkish", "Cumartesi günü eski istasyonda buluşuyoruz, biletleri o getiriyor. ");
    prose.put("vietnamese", "Chúng tôi gặp nhau vào thứ bảy ở nhà ga cũ, cô ấy mang vé theo. ");
    prose.put("russian", "Мы встречаемся в субботу на старом вокзале, и она приносит билеты. ");
    prose.put("greek", "Συναντιόμαστε το Σάββατο στον παλιό σταθμό και φέρνει τα εισιτήρια. ");
    prose.put("arabic", "نلتقي يوم السبت في المحطة القديمة وهي تحضر التذاكر معها. ");
    prose.put("hebrew", "אנחנו נפגשים בשבת בתחנה הישנה והיא מביאה את הכרטיסים. ");
    prose.put("hindi", "हम शनिवार को पुराने स्टेशन पर मिलते हैं और वह टिकट लाती है। ");
    prose.put("tamil", "நாங்கள் சனிக்கிழமை பழைய நிலையத்தில் சந்திக்கிறோம். ");
    prose.put("thai", "เราเจอกันวันเสาร์ที่สถานีเก่าและเธอเอาตั๋วมา ");
    prose.put("chinese", "我们星期六在老车站见面,她带票来。");
    prose.put("japanese", "土曜日に古い駅で会って、彼女が切符を持ってきます。");
    prose.put("korean", "우리는 토요일에 옛 역에서 만나고 그녀가 표를 가져옵니다. ");
    prose.put("georgian", "ჩვენ შაბათს ძველ სადგურზე ვხვდებით და მას ბილეთები მოაქვს. ");
    prose.put("amharic", "ቅዳሜ በአሮጌው ጣቢያ እንገናኛለን ትኬቶቹን ታመጣለች። ");
    return prose;
  }

  /** What programs write. */
  public static Map<String, String> machine() {
    Random random = new Random(7);
    byte[] bytes = new byte[1_500];
    random.nextBytes(bytes);
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("base64", Base64.getEncoder().encodeToString(bytes));
    machine.put("digits", digits(random, 2_000));
    machine.put(
        "table", "2026-11-30,17.25,0.003,1048576\n2026-12-01,18.75,0.104,2097152\n".repeat(20));
    machine.put(
        "java",
        "for (int i = 0; i < text.length(); i++) {\n    sum += text.charAt(i);\n}\n".repeat(20));
    machine.put(
        "json", "{\"id\":\"7f3a9c\",\"on\":true,\"of\":[1,2.5,null],\"name\":\"a b\"}".repeat(20));
    machine.put("emoji", "😀👍🏽👨‍👩‍👧‍👦🇩🇪❤️".repeat(40));
    machine.put("links", "https://example.org/a/b?c=d%20e&f=0x1F#top ".repeat(20));
    return machine;
  }

  /** What makes a tokenizer slow, or its tokens small, so many characters of each. */
  public static Map<String, String> hostile(int chars) {
    Random random = new Random(11);
    Map<String, String> hostile = new LinkedHashMap<>();
    hostile.put("one letter", "a".repeat(chars));
    hostile.put("one capital", "A".repeat(chars));
    hostile.put("blanks", " ".repeat(chars));
    hostile.put("lines", "\n".repeat(chars));
    hostile.put("blanks and lines", " \n \r\n\t".repeat(chars / 6 + 1).substring(0, chars));
    hostile.put("marks", "!?".repeat(chars / 2));
    hostile.put("quotes", "'s".repeat(chars / 2));
    hostile.put("one ideograph", "語".repeat(chars));
    hostile.put("digits", digits(random, chars));
    hostile.put("letters", letters(random, chars));
    hostile.put("ascii", drawn(random, chars, 0x20, 0x7f));
    hostile.put("unicode", drawn(random, chars, 0x80, 0xd800));
    hostile.put("beyond", beyond(random, chars));
    hostile.put("torn", "\ud83d".repeat(chars));
    return hostile;
  }

  static List<String> all() {
    List<String> all = new ArrayList<>(prose().values());
    all.addAll(machine().values());
    all.addAll(hostile(3_000).values());
    return all;
  }

  static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String digits(Random random, int chars) {
    return drawn(random, chars, '0', '9' + 1);
  }

  private static String letters(Random random, int chars) {
    return drawn(random, chars, 'a', 'z' + 1);
  }

  static String drawn(Random random, int chars, int from, int to) {
    StringBuilder text = new StringBuilder(chars);
    random.ints(chars, from, to).forEach(one -> text.append((char) one));
    return text.toString();
  }

  private static String beyond(Random random, int chars) {
    StringBuilder text = new StringBuilder(chars);
    random.ints(chars / 2, 0x10000, 0x30000).forEach(text::appendCodePoint);
    return text.toString();
  }
}
