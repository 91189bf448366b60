package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Allocation;

/** Functions of bytes. */
public final class BinaryFunctions {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private static final long PRIME1 = 0x9E3779B185EBCA87L;
  private static final long PRIME2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME3 = 0x165667B19E3779F9L;
  private static final long PRIME4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME5 = 0x27D4EB2F165667C5L;

  private BinaryFunctions() {}

  public static byte[] reverse(byte[] bytes) {
    byte[] made = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      made[i] = bytes[bytes.length - 1 - i];
    }
    return made;
  }

  public static byte[] substring(byte[] bytes, long start, long length) {
    long from = start > 0 ? start - 1 : bytes.length + start;
    if (start == 0 || length <= 0 || from < 0 || from >= bytes.length) {
      return new byte[0];
    }
    long until = length > bytes.length - from ? bytes.length : from + length;
    return Arrays.copyOfRange(bytes, (int) from, (int) until);
  }

  public static byte[] pad(byte[] bytes, long length, byte[] padding, boolean left) {
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw TrinoFailure.argument("Target length must be in the range [0.." + Integer.MAX_VALUE + "]");
    }
    if (padding.length == 0) {
      throw TrinoFailure.argument("Padding bytes must not be empty");
    }
    Allocation.bytes(left ? "lpad" : "rpad", length);
    byte[] made = Arrays.copyOf(bytes, (int) length);
    int more = (int) length - bytes.length;
    if (more > 0) {
      int at = left ? 0 : bytes.length;
      for (int i = 0; i < more; i++) {
        made[at + i] = padding[i % padding.length];
      }
      System.arraycopy(bytes, 0, made, left ? more : 0, bytes.length);
    }
    return made;
  }

  @Scalar("to_base64")
  public static UTF8String toBase64(byte[] bytes) {
    Allocation.bytes("to_base64", bytes.length / 3 * 4L);
    return UTF8String.fromBytes(Base64.getEncoder().encode(bytes));
  }

  @Scalar("to_base64url")
  public static UTF8String toBase64Url(byte[] bytes) {
    Allocation.bytes("to_base64url", bytes.length / 3 * 4L);
    return UTF8String.fromBytes(Base64.getUrlEncoder().encode(bytes));
  }

  @Scalar("from_base64")
  public static byte[] fromBase64(UTF8String text) {
    return fromBase64(text.getBytes());
  }

  @Scalar("from_base64")
  public static byte[] fromBase64(byte[] text) {
    return decoded(Base64.getDecoder(), text);
  }

  @Scalar("from_base64url")
  public static byte[] fromBase64Url(UTF8String text) {
    return fromBase64Url(text.getBytes());
  }

  @Scalar("from_base64url")
  public static byte[] fromBase64Url(byte[] text) {
    return decoded(Base64.getUrlDecoder(), text);
  }

  private static byte[] decoded(Base64.Decoder decoder, byte[] text) {
    try {
      return decoder.decode(text);
    } catch (IllegalArgumentException invalid) {
      throw TrinoFailure.argument(invalid.getMessage());
    }
  }

  @Scalar("to_base32")
  public static UTF8String toBase32(byte[] bytes) {
    Allocation.bytes("to_base32", bytes.length / 5 * 8L);
    StringBuilder made = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (byte each : bytes) {
      held = held << 8 | (each & 0xff);
      bits += 8;
      while (bits >= 5) {
        made.append(BASE32.charAt(held >> (bits - 5) & 31));
        bits -= 5;
      }
      held &= (1 << bits) - 1;
    }
    if (bits > 0) {
      made.append(BASE32.charAt(held << (5 - bits) & 31));
    }
    while (made.length() % 8 != 0) {
      made.append('=');
    }
    return UTF8String.fromString(made.toString());
  }

  @Scalar("from_base32")
  public static byte[] fromBase32(byte[] text) {
    return fromBase32(UTF8String.fromBytes(text));
  }

  /** Padding may be absent, but the digits have to be of a number of bytes. */
  @Scalar("from_base32")
  public static byte[] fromBase32(UTF8String text) {
    String digits = text.toString();
    int end = digits.length();
    while (end > 0 && digits.charAt(end - 1) == '=') {
      end--;
    }
    int rest = end % 8;
    if (rest == 1 || rest == 3 || rest == 6) {
      throw TrinoFailure.argument("Invalid input length " + end);
    }
    byte[] made = new byte[(int) (end * 5L / 8)];
    int bits = 0;
    int held = 0;
    int at = 0;
    for (int i = 0; i < end; i++) {
      int value = BASE32.indexOf(digits.charAt(i));
      if (value < 0) {
        throw TrinoFailure.argument("Unrecognized character: " + digits.charAt(i));
      }
      held = (held << 5 | value) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        made[at++] = (byte) (held >> (bits - 8));
        bits -= 8;
      }
    }
    return made;
  }

  @Scalar("to_hex")
  public static UTF8String toHex(byte[] bytes) {
    Allocation.bytes("to_hex", 2L * bytes.length);
    return UTF8String.fromString(HexFormat.of().withUpperCase().formatHex(bytes));
  }

  @Scalar("from_hex")
  public static byte[] fromHex(byte[] text) {
    return fromHex(UTF8String.fromBytes(text));
  }

  @Scalar("from_hex")
  public static byte[] fromHex(UTF8String text) {
    if (text.numBytes() % 2 != 0) {
      throw TrinoFailure.argument("invalid input length " + text.numBytes());
    }
    try {
      return HexFormat.of().parseHex(text.toString());
    } catch (IllegalArgumentException invalid) {
      throw TrinoFailure.argument(invalid.getMessage());
    }
  }

  private static ByteBuffer exactly(byte[] bytes, int length, String message) {
    if (bytes.length != length) {
      throw TrinoFailure.argument(message);
    }
    return ByteBuffer.wrap(bytes);
  }

  @Scalar("to_big_endian_64")
  public static byte[] toBigEndian64(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  @Scalar("from_big_endian_64")
  public static long fromBigEndian64(byte[] bytes) {
    return exactly(bytes, 8, "expected 8-byte input, but got instead: " + bytes.length).getLong();
  }

  @Scalar("to_big_endian_32")
  public static byte[] toBigEndian32(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  @Scalar("from_big_endian_32")
  public static int fromBigEndian32(byte[] bytes) {
    return exactly(bytes, 4, "expected 4-byte input, but got instead: " + bytes.length).getInt();
  }

  @Scalar("to_ieee754_32")
  public static byte[] toReal(float value) {
    return ByteBuffer.allocate(4).putFloat(value).array();
  }

  @Scalar("from_ieee754_32")
  public static float fromReal(byte[] bytes) {
    return exactly(bytes, 4, "Input floating-point value must be exactly 4 bytes long").getFloat();
  }

  @Scalar("to_ieee754_64")
  public static byte[] toDouble(double value) {
    return ByteBuffer.allocate(8).putDouble(value).array();
  }

  @Scalar("from_ieee754_64")
  public static double fromDouble(byte[] bytes) {
    return exactly(bytes, 8, "Input floating-point value must be exactly 8 bytes long").getDouble();
  }

  @Scalar
  public static long crc32(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException(absent);
    }
  }

  @Scalar
  public static byte[] md5(byte[] bytes) {
    return digest("MD5", bytes);
  }

  @Scalar
  public static byte[] sha1(byte[] bytes) {
    return digest("SHA-1", bytes);
  }

  @Scalar
  public static byte[] sha256(byte[] bytes) {
    return digest("SHA-256", bytes);
  }

  @Scalar
  public static byte[] sha512(byte[] bytes) {
    return digest("SHA-512", bytes);
  }

  private static byte[] mac(String algorithm, byte[] bytes, byte[] key) {
    if (key.length == 0) {
      throw TrinoFailure.argument("Empty key");
    }
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(bytes);
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException(absent);
    }
  }

  @Scalar("hmac_md5")
  public static byte[] hmacMd5(byte[] bytes, byte[] key) {
    return mac("HmacMD5", bytes, key);
  }

  @Scalar("hmac_sha1")
  public static byte[] hmacSha1(byte[] bytes, byte[] key) {
    return mac("HmacSHA1", bytes, key);
  }

  @Scalar("hmac_sha256")
  public static byte[] hmacSha256(byte[] bytes, byte[] key) {
    return mac("HmacSHA256", bytes, key);
  }

  @Scalar("hmac_sha512")
  public static byte[] hmacSha512(byte[] bytes, byte[] key) {
    return mac("HmacSHA512", bytes, key);
  }

  @Scalar
  public static byte[] murmur3(byte[] bytes) {
    long[] hash = MurmurHash3.hash128x64(bytes);
    return ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(hash[0]).putLong(hash[1]).array();
  }

  /** The 64 bits of xxHash with the seed 0. */
  @Scalar
  public static byte[] xxhash64(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long hash;
    if (bytes.length >= 32) {
      long[] lanes = {PRIME1 + PRIME2, PRIME2, 0, -PRIME1};
      while (in.remaining() >= 32) {
        for (int i = 0; i < 4; i++) {
          lanes[i] = round(lanes[i], in.getLong());
        }
      }
      hash = Long.rotateLeft(lanes[0], 1) + Long.rotateLeft(lanes[1], 7) + Long.rotateLeft(lanes[2], 12)
          + Long.rotateLeft(lanes[3], 18);
      for (long lane : lanes) {
        hash = (hash ^ round(0, lane)) * PRIME1 + PRIME4;
      }
    } else {
      hash = PRIME5;
    }
    hash += bytes.length;
    while (in.remaining() >= 8) {
      hash = Long.rotateLeft(hash ^ round(0, in.getLong()), 27) * PRIME1 + PRIME4;
    }
    if (in.remaining() >= 4) {
      hash = Long.rotateLeft(hash ^ (in.getInt() & 0xffffffffL) * PRIME1, 23) * PRIME2 + PRIME3;
    }
    while (in.hasRemaining()) {
      hash = Long.rotateLeft(hash ^ (in.get() & 0xff) * PRIME5, 11) * PRIME1;
    }
    hash = (hash ^ hash >>> 33) * PRIME2;
    hash = (hash ^ hash >>> 29) * PRIME3;
    return toBigEndian64(hash ^ hash >>> 32);
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME2, 31) * PRIME1;
  }
}
