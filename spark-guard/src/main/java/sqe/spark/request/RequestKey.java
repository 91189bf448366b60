package sqe.spark.request;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret with which the gateway proves that a request is its own: HMAC-SHA256 over the Spark session, the request's name and its
 * argument. Without a secret no request is answered.
 */
public final class RequestKey {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "sqe request"; // the same secret may prove other things

  private static volatile SecretKeySpec key;

  private RequestKey() {}

  /** Tells this JVM the secret, before it takes its first statement. Bytes, because SQL's {@code java_method} passes text. */
  public static void set(byte[] secret) {
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  static boolean proves(String proof, String session, String name, String argument) {
    SecretKeySpec used = key;
    if (used == null) {
      return false;
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(used);
      // Neither a session's UUID nor a name has a line break in it, so that no two requests have the same text.
      String text = String.join("\n", PURPOSE, session, name, argument);
      byte[] expected = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return MessageDigest.isEqual(
          HexFormat.of().formatHex(expected).getBytes(StandardCharsets.US_ASCII),
          proof.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
