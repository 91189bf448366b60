package sqe.spark.guard;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import sqe.spark.Plans;

/**
 * {@code sqe_hmac(text)} of policies: the HMAC-SHA256 of a text's UTF-8 under the mask key, in hexadecimal.
 *
 * <p>An expression only names the method below. The key is in this class, in every JVM that runs tasks, and nowhere else: not in
 * a plan, in generated code or in a setting. Nothing here that is public can be called with SQL's {@code java_method}, which passes
 * numbers and text only.
 */
public final class HashMask {
  /** What policies call it. Users cannot: it is in no registry. */
  static final String NAME = "sqe_hmac";

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static volatile SecretKeySpec key;
  private static final ThreadLocal<Mac> MACS = new ThreadLocal<>();

  private HashMask() {}

  /** Tells this JVM the key, once, before it runs a statement. */
  public static synchronized void key(byte[] told) {
    if (key != null) {
      throw new IllegalStateException("the mask key is known already");
    }
    key = new SecretKeySpec(told, ALGORITHM);
  }

  /** Gives the key to what brings it to executors; nothing happens when there is none. */
  public static void share(Consumer<byte[]> with) {
    SecretKeySpec shared = key;
    if (shared != null) {
      with.accept(shared.getEncoded());
    }
  }

  /** The call in a policy, of which {@code arguments} are resolved. */
  static Expression of(List<Expression> arguments) {
    if (key == null) {
      throw GuardRefusal.unsupported("A policy hashes values, and there is no mask key.");
    }
    if (arguments.size() != 1) {
      throw new IllegalArgumentException(NAME + " takes one text");
    }
    Expression text = arguments.get(0);
    return new StaticInvoke(
        HashMask.class,
        DataTypes.StringType,
        "hex",
        Plans.seq(List.of(text.dataType() instanceof StringType ? text : new Cast(text, DataTypes.StringType, Option.empty()))),
        Plans.seq(List.of()),
        true, // null for null
        true,
        true,
        Option.empty());
  }

  /** Called for each row. */
  public static UTF8String hex(UTF8String text) {
    byte[] hash = mac().doFinal(text.getBytes());
    byte[] hex = new byte[2 * hash.length];
    for (int i = 0; i < hash.length; i++) {
      hex[2 * i] = DIGITS[(hash[i] >> 4) & 0xf];
      hex[2 * i + 1] = DIGITS[hash[i] & 0xf];
    }
    return UTF8String.fromBytes(hex);
  }

  private static Mac mac() {
    Mac mac = MACS.get();
    if (mac == null) {
      SecretKeySpec used = key;
      if (used == null) {
        throw new IllegalStateException("this executor was not told the mask key");
      }
      try {
        mac = Mac.getInstance(ALGORITHM);
        mac.init(used);
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
      MACS.set(mac);
    }
    return mac;
  }
}
