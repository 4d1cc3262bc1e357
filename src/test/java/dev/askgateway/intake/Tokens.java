package dev.askgateway.intake;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens by hand, so that what the gateway believes is not checked by its own library. */
public final class Tokens {
  public static final String SECRET = "a-secret-of-more-than-thirty-two-bytes!";
  public static final String ISSUER = "https://issuer.test";
  public static final String AUDIENCE = "ask-gateway";

  private Tokens() {}

  /** Claims that are good for five minutes. */
  public static JsonObject claims(String subject) {
    return new JsonObject()
        .put("sub", subject)
        .put("iss", ISSUER)
        .put("aud", AUDIENCE)
        .put("exp", Instant.now().getEpochSecond() + 300);
  }

  public static String hs256(String subject) {
    return hs256(new JsonObject().put("alg", "HS256").put("typ", "JWT"), claims(subject), SECRET);
  }

  public static String hs256(JsonObject head, JsonObject claims, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String signed = encode(head) + "." + encode(claims);
      return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static String unsigned(JsonObject head, JsonObject claims) {
    return encode(head) + "." + encode(claims) + ".";
  }

  /** A key pair with its public half as a JWK. */
  public record Key(String algorithm, String id, PrivateKey secret, JsonObject jwk) {

    public static Key es256(String id) {
      KeyPair pair = pair("EC");
      ECPublicKey key = (ECPublicKey) pair.getPublic();
      return new Key(
          "ES256",
          id,
          pair.getPrivate(),
          new JsonObject()
              .put("kty", "EC")
              .put("crv", "P-256")
              .put("kid", id)
              .put("use", "sig")
              .put("x", encode(unsigned(key.getW().getAffineX(), 32)))
              .put("y", encode(unsigned(key.getW().getAffineY(), 32))));
    }

    public static Key rs256(String id) {
      KeyPair pair = pair("RSA");
      RSAPublicKey key = (RSAPublicKey) pair.getPublic();
      return new Key(
          "RS256",
          id,
          pair.getPrivate(),
          new JsonObject()
              .put("kty", "RSA")
              .put("kid", id)
              .put("alg", "RS256")
              .put("n", encode(unsigned(key.getModulus(), 256)))
              .put("e", encode(unsigned(key.getPublicExponent(), 3))));
    }

    public String sign(JsonObject claims) {
      return sign(new JsonObject().put("alg", algorithm).put("kid", id), claims);
    }

    public String sign(JsonObject head, JsonObject claims) {
      try {
        Signature signature = Signature.getInstance(
            algorithm.equals("ES256") ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
        signature.initSign(secret);
        String signed = encode(head) + "." + encode(claims);
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + encode(signature.sign());
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    private static KeyPair pair(String kind) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
        if (kind.equals("EC")) {
          generator.initialize(new ECGenParameterSpec("secp256r1"));
        } else {
          generator.initialize(2048);
        }
        return generator.generateKeyPair();
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  public static JsonObject keySet(Key... keys) {
    JsonArray set = new JsonArray();
    for (Key key : keys) {
      set.add(key.jwk());
    }
    return new JsonObject().put("keys", set);
  }

  private static byte[] unsigned(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] sized = new byte[length];
    int from = Math.max(0, bytes.length - length);
    int size = bytes.length - from;
    System.arraycopy(Arrays.copyOfRange(bytes, from, bytes.length), 0, sized, length - size, size);
    return sized;
  }

  private static String encode(JsonObject json) {
    return encode(json.encode().getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
