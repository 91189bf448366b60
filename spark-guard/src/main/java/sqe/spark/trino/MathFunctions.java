package sqe.spark.trino;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.special.Erf;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of numbers and of their bits. */
public final class MathFunctions {
  private MathFunctions() {}

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw TrinoFailure.argument(message);
    }
  }

  @Scalar
  public static double acos(double number) {
    return Math.acos(number);
  }

  @Scalar
  public static double asin(double number) {
    return Math.asin(number);
  }

  @Scalar
  public static double atan(double number) {
    return Math.atan(number);
  }

  @Scalar
  public static double atan2(double y, double x) {
    return Math.atan2(y, x);
  }

  @Scalar
  public static double cbrt(double number) {
    return Math.cbrt(number);
  }

  @Scalar
  public static double cos(double number) {
    return Math.cos(number);
  }

  @Scalar
  public static double cosh(double number) {
    return Math.cosh(number);
  }

  @Scalar
  public static double degrees(double number) {
    return Math.toDegrees(number);
  }

  @Scalar
  public static double e() {
    return Math.E;
  }

  @Scalar
  public static double exp(double number) {
    return Math.exp(number);
  }

  @Scalar
  public static double infinity() {
    return Double.POSITIVE_INFINITY;
  }

  @Scalar
  public static double ln(double number) {
    return Math.log(number);
  }

  @Scalar
  public static double log(double base, double number) {
    return Math.log(number) / Math.log(base);
  }

  @Scalar
  public static double log2(double number) {
    return Math.log(number) / Math.log(2);
  }

  @Scalar
  public static double log10(double number) {
    return Math.log10(number);
  }

  @Scalar
  public static double nan() {
    return Double.NaN;
  }

  @Scalar
  public static double pi() {
    return Math.PI;
  }

  @Scalar
  public static double pow(double number, double exponent) {
    return Math.pow(number, exponent);
  }

  @Scalar
  public static double power(double number, double exponent) {
    return Math.pow(number, exponent);
  }

  @Scalar
  public static double radians(double number) {
    return Math.toRadians(number);
  }

  @Scalar
  public static double sin(double number) {
    return Math.sin(number);
  }

  @Scalar
  public static double sinh(double number) {
    return Math.sinh(number);
  }

  @Scalar
  public static double sqrt(double number) {
    return Math.sqrt(number);
  }

  @Scalar
  public static double tan(double number) {
    return Math.tan(number);
  }

  @Scalar
  public static double tanh(double number) {
    return Math.tanh(number);
  }

  @Scalar("is_nan")
  public static boolean isNan(double number) {
    return Double.isNaN(number);
  }

  @Scalar("is_finite")
  public static boolean isFinite(double number) {
    return Double.isFinite(number);
  }

  @Scalar("is_infinite")
  public static boolean isInfinite(double number) {
    return Double.isInfinite(number);
  }

  @Scalar("inverse_normal_cdf")
  public static double inverseNormal(double mean, double deviation, double p) {
    require(p > 0 && p < 1, "p must be 0 > p > 1");
    require(deviation > 0, "sd must be > 0");
    return mean + deviation * 1.4142135623730951 * Erf.erfInv(2 * p - 1);
  }

  @Scalar("normal_cdf")
  public static double normal(double mean, double deviation, double value) {
    require(deviation > 0, "standardDeviation must be > 0");
    return 0.5 * (1 + Erf.erf((value - mean) / (deviation * Math.sqrt(2))));
  }

  @Scalar("inverse_beta_cdf")
  public static double inverseBeta(double a, double b, double p) {
    require(p >= 0 && p <= 1, "p must be 0 >= p >= 1");
    require(a > 0 && b > 0, "a, b must be > 0");
    return beta(a, b).inverseCumulativeProbability(p);
  }

  @Scalar("beta_cdf")
  public static double beta(double a, double b, double value) {
    require(value >= 0 && value <= 1, "value must be 0 >= v >= 1");
    require(a > 0 && b > 0, "a, b must be > 0");
    return beta(a, b).cumulativeProbability(value);
  }

  private static BetaDistribution beta(double a, double b) {
    return new BetaDistribution(null, a, b, BetaDistribution.DEFAULT_INVERSE_ABSOLUTE_ACCURACY);
  }

  @Scalar("t_cdf")
  public static double student(double x, double freedom) {
    require(freedom >= 1, "degrees of freedom must be greater than or equal to 1");
    return new TDistribution(null, freedom).cumulativeProbability(x);
  }

  @Scalar("t_pdf")
  public static double studentDensity(double x, double freedom) {
    require(freedom >= 1, "degrees of freedom must be greater than or equal to 1");
    return new TDistribution(null, freedom).density(x);
  }

  @Scalar("wilson_interval_lower")
  public static double wilsonLower(long successes, long trials, double z) {
    return wilson(successes, trials, z, -1);
  }

  @Scalar("wilson_interval_upper")
  public static double wilsonUpper(long successes, long trials, double z) {
    return wilson(successes, trials, z, 1);
  }

  private static double wilson(long successes, long trials, double z, int side) {
    require(successes >= 0, "number of successes must not be negative");
    require(trials > 0, "number of trials must be positive");
    require(successes <= trials, "number of successes must not be larger than number of trials");
    require(z >= 0, "z-score must not be negative");
    double n = trials;
    double p = successes / n;
    double z2 = z * z;
    return (p + z2 / (2 * n) + side * z * Math.sqrt((p * (1 - p) + z2 / (4 * n)) / n)) / (1 + z2 / n);
  }

  @Scalar("to_base")
  public static UTF8String toBase(long number, long radix) {
    return UTF8String.fromString(Long.toString(number, radix(radix)));
  }

  @Scalar("from_base")
  public static long fromBase(UTF8String text, long radix) {
    int base = radix(radix);
    try {
      return Long.parseLong(text.toString(), base);
    } catch (NumberFormatException invalid) {
      throw TrinoFailure.argument("Not a valid base-" + radix + " number: " + text);
    }
  }

  private static int radix(long radix) {
    require(radix >= Character.MIN_RADIX && radix <= Character.MAX_RADIX, "Radix must be between 2 and 36");
    return (int) radix;
  }

  @Scalar("width_bucket")
  public static long bucket(double operand, double first, double second, long count) {
    require(count > 0, "bucketCount must be greater than 0");
    require(!Double.isNaN(operand), "operand must not be NaN");
    require(Double.isFinite(first), "first bound must be finite");
    require(Double.isFinite(second), "second bound must be finite");
    require(first != second, "bounds cannot equal each other");
    double lower = Math.min(first, second);
    double upper = Math.max(first, second);
    long bucket;
    if (operand < lower) {
      bucket = 0;
    } else if (operand >= upper) {
      if (count == Long.MAX_VALUE) {
        throw TrinoFailure.range("Bucket for value " + operand + " is out of range");
      }
      bucket = count + 1;
    } else {
      bucket = (long) ((double) count * (operand - lower) / (upper - lower) + 1);
    }
    return first > second ? count - bucket + 1 : bucket;
  }

  @Scalar(value = "width_bucket", takes = {"", "array<double>"})
  public static long bucket(double operand, ArrayData bins) {
    int lower = 0;
    int upper = bins.numElements();
    require(upper > 0, "Bins cannot be an empty array");
    require(!Double.isNaN(operand), "Operand cannot be NaN");
    while (lower < upper) {
      require(element(bins, lower) <= element(bins, upper - 1), "Bin values are not sorted in ascending order");
      int middle = (lower + upper) / 2;
      double bin = element(bins, middle);
      require(Double.isFinite(bin), "Bin value must be finite, got " + bin);
      if (operand < bin) {
        upper = middle;
      } else {
        lower = middle + 1;
      }
    }
    return lower;
  }

  /** An element of an array of numbers; a NULL is 0 where Trino does not look for it. */
  private static double element(ArrayData array, int index) {
    return array.isNullAt(index) ? 0 : array.getDouble(index);
  }

  private static void sameLength(ArrayData first, ArrayData second) {
    require(first.numElements() == second.numElements(), "The arguments must have the same length");
  }

  private static boolean hasNull(ArrayData array) {
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)) {
        return true;
      }
    }
    return false;
  }

  @Scalar(value = "euclidean_distance", takes = {"array<double>", "array<double>"})
  public static double euclidean(ArrayData first, ArrayData second) {
    sameLength(first, second);
    double sum = 0;
    for (int i = 0; i < first.numElements(); i++) {
      double difference = element(first, i) - element(second, i);
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  @Scalar(value = "dot_product", takes = {"array<double>", "array<double>"})
  public static double dot(ArrayData first, ArrayData second) {
    sameLength(first, second);
    double sum = 0;
    for (int i = 0; i < first.numElements(); i++) {
      sum += element(first, i) * element(second, i);
    }
    return sum;
  }

  @Scalar(value = "cosine_similarity", takes = {"array<double>", "array<double>"}, returns = "double")
  public static Double cosine(ArrayData first, ArrayData second) {
    sameLength(first, second);
    if (hasNull(first) || hasNull(second)) {
      return null;
    }
    double one = dot(first, first);
    double other = dot(second, second);
    require(one != 0 && other != 0, "Vector magnitude cannot be zero");
    return dot(first, second) / Math.sqrt(one * other);
  }

  @Scalar(value = "cosine_distance", takes = {"array<double>", "array<double>"}, returns = "double")
  public static Double cosineDistance(ArrayData first, ArrayData second) {
    Double similarity = cosine(first, second);
    return similarity == null ? null : Double.valueOf(1 - similarity);
  }

  @Scalar(value = "cosine_similarity", takes = {"map<string, double>", "map<string, double>"}, returns = "double")
  public static Double cosine(MapData first, MapData second) {
    if (hasNull(first.valueArray()) || hasNull(second.valueArray())) {
      return null;
    }
    double one = Math.sqrt(dot(first.valueArray(), first.valueArray()));
    double other = Math.sqrt(dot(second.valueArray(), second.valueArray()));
    Map<UTF8String, Double> values = new HashMap<>();
    for (int i = 0; i < second.numElements(); i++) {
      values.put(second.keyArray().getUTF8String(i), second.valueArray().getDouble(i));
    }
    double sum = 0;
    for (int i = 0; i < first.numElements(); i++) {
      Double value = values.get(first.keyArray().getUTF8String(i));
      sum += value == null ? 0 : first.valueArray().getDouble(i) * value;
    }
    return sum / (one * other);
  }

  // Bits.

  @Scalar("bit_count")
  public static long bitCount(long number, long bits) {
    if (bits == 64) {
      return Long.bitCount(number);
    }
    require(bits > 1 && bits < 64, "Bits specified in bit_count must be between 2 and 64, got " + bits);
    long most = (1L << (bits - 1)) - 1;
    require(
        number <= most && number >= ~most,
        "Number must be representable with the bits specified. " + number + " cannot be represented with " + bits + " bits");
    return Long.bitCount(number & ((1L << bits) - 1));
  }

  @Scalar("bitwise_not")
  public static long not(long number) {
    return ~number;
  }

  @Scalar("bitwise_and")
  public static long and(long left, long right) {
    return left & right;
  }

  @Scalar("bitwise_or")
  public static long or(long left, long right) {
    return left | right;
  }

  @Scalar("bitwise_xor")
  public static long xor(long left, long right) {
    return left ^ right;
  }

  @Scalar("bitwise_left_shift")
  public static byte left(byte value, int shift) {
    return (byte) left((long) value, shift);
  }

  @Scalar("bitwise_left_shift")
  public static short left(short value, int shift) {
    return (short) left((long) value, shift);
  }

  @Scalar("bitwise_left_shift")
  public static int left(int value, int shift) {
    return (int) left((long) value, shift);
  }

  @Scalar("bitwise_left_shift")
  public static long left(long value, int shift) {
    return shift >= 64 ? 0 : value << shift;
  }

  @Scalar("bitwise_right_shift")
  public static byte right(byte value, int shift) {
    return shift == 0 ? value : (byte) right(value & 0xffL, shift);
  }

  @Scalar("bitwise_right_shift")
  public static short right(short value, int shift) {
    return shift == 0 ? value : (short) right(value & 0xffffL, shift);
  }

  @Scalar("bitwise_right_shift")
  public static int right(int value, int shift) {
    return shift == 0 ? value : (int) right(value & 0xffffffffL, shift);
  }

  @Scalar("bitwise_right_shift")
  public static long right(long value, int shift) {
    return shift >= 64 ? 0 : value >>> shift;
  }

  @Scalar("bitwise_right_shift_arithmetic")
  public static byte signed(byte value, int shift) {
    return (byte) signed((long) value, shift);
  }

  @Scalar("bitwise_right_shift_arithmetic")
  public static short signed(short value, int shift) {
    return (short) signed((long) value, shift);
  }

  @Scalar("bitwise_right_shift_arithmetic")
  public static int signed(int value, int shift) {
    return (int) signed((long) value, shift);
  }

  @Scalar("bitwise_right_shift_arithmetic")
  public static long signed(long value, int shift) {
    return shift >= 64 ? (value >= 0 ? 0 : -1) : value >> shift;
  }

  // What Numbers calls for each row.

  public static double ceiling(double number) {
    return Math.ceil(number);
  }

  public static float ceiling(float number) {
    return (float) Math.ceil(number);
  }

  public static double floor(double number) {
    return Math.floor(number);
  }

  public static float floor(float number) {
    return (float) Math.floor(number);
  }

  public static double truncate(double number) {
    return Math.signum(number) * Math.floor(Math.abs(number));
  }

  public static float truncate(float number) {
    return (float) (Math.signum(number) * Math.floor(Math.abs(number)));
  }

  public static double sign(double number) {
    return Math.signum(number);
  }

  public static float sign(float number) {
    return Math.signum(number);
  }

  public static long sign(long number) {
    return Long.signum(number);
  }

  public static double round(double number, int decimals) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return number;
    }
    double factor = Math.pow(10, decimals);
    int sign = number < 0 ? -1 : 1;
    double scaled = sign * number * factor;
    long rounded = Math.round(scaled);
    if (rounded != Long.MAX_VALUE) {
      return sign * (rounded / factor);
    }
    return Double.isInfinite(scaled) ? number : sign * new BigDecimal(scaled).setScale(0, RoundingMode.HALF_UP).doubleValue() / factor;
  }

  public static float round(float number, int decimals) {
    if (Float.isNaN(number) || Float.isInfinite(number)) {
      return number;
    }
    double factor = Math.pow(10, decimals);
    int sign = number < 0 ? -1 : 1;
    double scaled = sign * number * factor;
    long rounded = Math.round(scaled);
    if (rounded != Long.MAX_VALUE) {
      return (float) (sign * (rounded / factor));
    }
    return Double.isInfinite(scaled)
        ? number
        : (float) (sign * (new BigDecimal(scaled).setScale(0, RoundingMode.HALF_UP).doubleValue() / factor));
  }

  public static long round(long number, int decimals, long least, long most) {
    if (decimals >= 0) {
      return number;
    }
    if (decimals < -19) {
      throw TrinoFailure.range("numerical overflow: " + number);
    }
    BigInteger rounded = BigDecimal.valueOf(number).setScale(decimals, RoundingMode.HALF_UP).toBigInteger();
    if (rounded.bitLength() > 63 || rounded.longValue() < least || rounded.longValue() > most || decimals == -19) {
      throw TrinoFailure.range("numerical overflow: " + number);
    }
    return rounded.longValue();
  }

  /** A decimal without the digits after so many, in a type; {@code mode} is one of {@link RoundingMode}. */
  public static Decimal round(Decimal number, int decimals, UTF8String mode, int precision, int scale) {
    BigDecimal value = number.toJavaBigDecimal();
    BigDecimal rounded =
        decimals >= value.scale() ? value
            : decimals < -39 ? BigDecimal.ZERO
            : value.setScale(decimals, RoundingMode.valueOf(mode.toString()));
    BigDecimal exact = rounded.setScale(scale, RoundingMode.UNNECESSARY);
    if (exact.precision() > precision && exact.signum() != 0) {
      throw TrinoFailure.range("decimal overflow: " + value.toPlainString());
    }
    return Decimal.apply(exact, precision, scale);
  }

  public static Decimal sign(Decimal number) {
    return Decimal.apply(BigDecimal.valueOf(number.toJavaBigDecimal().signum()), 1, 0);
  }

  /** An integer from {@code low} to below {@code high}, of a random number between 0 and 1. */
  public static long between(double random, long low, long high) {
    require(low < high, low == 0 ? "bound must be positive" : "start value must be less than stop value");
    // Trino's are as random in all their digits; these are multiples of a power of two in ranges beyond 53 bits.
    double value = low + Math.floor(random * ((double) high - (double) low));
    return Math.max(low, Math.min(high - 1, (long) value));
  }

  public static double greatest(double left, double right) {
    return Double.isNaN(left) ? right : Double.isNaN(right) ? left : Math.max(left, right);
  }

  public static float greatest(float left, float right) {
    return Float.isNaN(left) ? right : Float.isNaN(right) ? left : Math.max(left, right);
  }

  public static double least(double left, double right) {
    return Double.isNaN(left) ? right : Double.isNaN(right) ? left : Math.min(left, right);
  }

  public static float least(float left, float right) {
    return Float.isNaN(left) ? right : Float.isNaN(right) ? left : Math.min(left, right);
  }
}
