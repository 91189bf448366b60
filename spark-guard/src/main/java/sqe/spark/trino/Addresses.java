package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.unsafe.types.UTF8String;

/** IP addresses and UUIDs, which are text to Spark. */
public final class Addresses {
  private static final Pattern NUMERIC = Pattern.compile("[0-9a-fA-F:.]+");
  private static final Pattern FOUR = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

  private Addresses() {}

  static void register(Map<String, Builder> functions) {
    functions.put("uuid", arguments -> Typed.as(call("uuid"), "uuid"));
    Builder ofArrays = functions.get("contains");
    functions.put(
        "contains",
        arguments -> {
          boolean address = arguments.size() == 2 && Typed.is(arguments.get(1), "ipaddress");
          boolean network = arguments.size() == 2 && Texts.isText(arguments.get(0));
          boolean unknown = network && arguments.get(0).dataType() instanceof NullType;
          if (network && (address || (!unknown && arguments.get(1).dataType() instanceof NullType))) {
            return invoke(Addresses.class, "contains", DataTypes.BooleanType,
                cast(Typed.plain(arguments.get(0)), DataTypes.StringType),
                cast(Typed.plain(arguments.get(1)), DataTypes.StringType));
          }
          if (network && !unknown) {
            throw Texts.unexpected("contains", arguments);
          }
          return ofArrays != null
              ? ofArrays.build(arguments)
              : call("array_contains", arguments.toArray(new Expression[0]));
        });
  }

  // Called for each row.

  /** Sixteen bytes; those of an address of four are at the end. */
  private static byte[] bytes(String text) {
    try {
      if (!NUMERIC.matcher(text).matches() || (!text.contains(":") && !FOUR.matcher(text).matches())) {
        throw new UnknownHostException();
      }
      byte[] address = InetAddress.getByName(text).getAddress();
      if (address.length == 16) {
        return address;
      }
      byte[] mapped = new byte[16];
      mapped[10] = (byte) 0xff;
      mapped[11] = (byte) 0xff;
      System.arraycopy(address, 0, mapped, 12, 4);
      return mapped;
    } catch (UnknownHostException invalid) {
      throw TrinoFailure.argument("Invalid network IP address");
    }
  }

  public static byte[] addressBytes(UTF8String address) {
    return bytes(address.toString());
  }

  public static byte[] uuidBytes(UTF8String text) {
    UUID uuid = UUID.fromString(text.toString());
    return ByteBuffer.allocate(16).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).array();
  }

  static Expression toBytes(Expression address) {
    return Expressions.invoke(Addresses.class, "addressBytes", DataTypes.BinaryType, address);
  }

  static Expression ofBytes(Expression bytes) {
    return Expressions.invoke(CastMethods.class, "addressOfBytes", DataTypes.StringType, bytes);
  }

  public static int compare(UTF8String left, UTF8String right) {
    return Arrays.compareUnsigned(bytes(left.toString()), bytes(right.toString()));
  }

  public static boolean contains(UTF8String network, UTF8String address) {
    String cidr = network.toString();
    int slash = cidr.indexOf('/');
    if (slash < 0) {
      throw TrinoFailure.argument("Invalid CIDR");
    }
    byte[] base = bytes(cidr.substring(0, slash));
    int prefix;
    try {
      prefix = Integer.parseInt(cidr.substring(slash + 1));
    } catch (NumberFormatException invalid) {
      throw TrinoFailure.argument("Invalid prefix length");
    }
    if (prefix < 0) {
      throw TrinoFailure.argument("Invalid prefix length");
    }
    boolean four = FOUR.matcher(cidr.substring(0, slash)).matches();
    BigInteger start = new BigInteger(1, base);
    int bits = four ? 32 - prefix : 128 - prefix;
    if (bits < 0 || (four && start.getLowestSetBit() < bits && !last(base).equals(BigInteger.ZERO))) {
      throw TrinoFailure.argument("Invalid CIDR");
    }
    if (!four && prefix == 0) {
      return true;
    }
    return start.shiftRight(bits).equals(new BigInteger(1, bytes(address.toString())).shiftRight(bits));
  }

  private static BigInteger last(byte[] base) {
    return new BigInteger(1, Arrays.copyOfRange(base, 12, 16));
  }
}
