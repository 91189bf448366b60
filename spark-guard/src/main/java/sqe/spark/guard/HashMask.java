package sqe.spark.guard;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import sqe.spark.Plans;

/**
 * {@code sqe_hmac(text)} of policies: the HMAC-SHA256 of a text's UTF-8 in hexadecimal, under a key that is derived from the mask key for
 * one column of one table ({@link HashKeys}). So no user learns from a table of their own what a value becomes in another.
 *
 * <p>An expression names the method below and the scope of the key. The mask key is in this class, in every JVM that runs tasks, and
 * nowhere else: not in a plan, in generated code or in a setting. Nothing here that is public can be called with SQL's {@code java_method}, which passes
 * numbers and text only.
 */
public final class HashMask {
  /** What policies call it. Users cannot: it is in no registry. */
  static final String NAME = "sqe_hmac";

  /** The same under a key with a name, the second argument. */
  static final String SHARED = "sqe_shared_hmac";

  private static final String OF_COLUMN = "column ";
  private static final String OF_NAME = "name ";
  private static final int MOST_KEPT = 64; // derived keys, in each thread

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static volatile SecretKeySpec key;
  private static final ThreadLocal<Map<UTF8String, Mac>> MACS =
      ThreadLocal.withInitial(
          () ->
              new LinkedHashMap<UTF8String, Mac>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<UTF8String, Mac> eldest) {
                  return size() > MOST_KEPT;
                }
              });

  private HashMask() {}

  /** Tells this JVM the key, once, before it runs a statement. */
  public static synchronized void key(byte[] bytes) {
    if (key != null) {
      throw new IllegalStateException("the mask key is known already");
    }
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** Gives the key to what brings it to executors; nothing happens when there is none. */
  public static void share(Consumer<byte[]> with) {
    SecretKeySpec shared = key;
    if (shared != null) {
      with.accept(shared.getEncoded());
    }
  }

  /** The scope of a column's own key. */
  static String ofColumn(String table, int field) {
    return OF_COLUMN + table + ' ' + field;
  }

  /** The scope of a key that several tables share. */
  static String shared(String name) {
    return OF_NAME + name;
  }

  /** The call in a policy, of which {@code arguments} are resolved: the text and the scope. */
  static Expression of(List<Expression> arguments) {
    if (key == null) {
      throw GuardRefusal.unsupported("A policy hashes values, and there is no mask key.");
    }
    if (arguments.size() != 2 || !(arguments.get(1) instanceof Literal scope) || !isScope(scope)) {
      throw new IllegalArgumentException("a hash without the scope of its key");
    }
    Expression text = arguments.get(0);
    return new StaticInvoke(
        HashMask.class,
        DataTypes.StringType,
        "hex",
        Plans.seq(
            List.of(
                text.dataType() instanceof StringType ? text : new Cast(text, DataTypes.StringType, Option.empty()),
                scope)),
        Plans.seq(List.of()),
        true, // null for null
        true,
        true,
        Option.empty());
  }

  private static boolean isScope(Literal scope) {
    String text = String.valueOf(scope.value());
    return scope.dataType() instanceof StringType && (text.startsWith(OF_COLUMN) || text.startsWith(OF_NAME));
  }

  /** Called for each row. */
  public static UTF8String hex(UTF8String text, UTF8String scope) {
    byte[] hash = mac(scope).doFinal(text.getBytes());
    byte[] hex = new byte[2 * hash.length];
    for (int i = 0; i < hash.length; i++) {
      hex[2 * i] = DIGITS[(hash[i] >> 4) & 0xf];
      hex[2 * i + 1] = DIGITS[hash[i] & 0xf];
    }
    return UTF8String.fromBytes(hex);
  }

  private static Mac mac(UTF8String scope) {
    Map<UTF8String, Mac> macs = MACS.get();
    Mac mac = macs.get(scope);
    if (mac == null) {
      SecretKeySpec master = key;
      if (master == null) {
        throw new IllegalStateException("this executor was not told the mask key");
      }
      byte[] derived = keyed(master).doFinal(scope.getBytes());
      mac = keyed(new SecretKeySpec(derived, ALGORITHM));
      macs.put(scope.copy(), mac);
    }
    return mac;
  }

  private static Mac keyed(SecretKeySpec with) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(with);
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
