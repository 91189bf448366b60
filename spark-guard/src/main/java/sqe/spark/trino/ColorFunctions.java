package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Allocation;

/** Colors and text in colors for terminals. A color is a number: red, green and blue, or a negative one for a color by name. */
public final class ColorFunctions {
  private static final String TYPE = "color";
  private static final String RESET = "\u001b[0m";
  private static final List<String> NAMES = List.of("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white");
  private static final long RED = 0xff0000;
  private static final long GREEN = 0x00ff00;

  /** The characters that a color adds, and those of the longest numbers. */
  private static final int MARKS = 15;

  private ColorFunctions() {}

  static void register(Map<String, Builder> functions) {
    functions.put("bar", ColorFunctions::bar);
    functions.put("color", ColorFunctions::color);
    functions.put("render", ColorFunctions::render);
    functions.put("rgb", ColorFunctions::rgb);
  }

  private static boolean becomes(Expression value, DataType type) {
    return TrinoTypes.distance(value.dataType(), type) < TrinoTypes.NEVER && !Typed.is(value, TYPE);
  }

  private static boolean isColor(Expression value) {
    return Typed.is(value, TYPE) || value.dataType() instanceof NullType;
  }

  private static Expression made(String method, List<Expression> arguments, DataType... types) {
    List<Expression> given = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      given.add(cast(Typed.plain(arguments.get(i)), types[i]));
    }
    return Typed.as(invoke(ColorFunctions.class, method, DataTypes.LongType, given.toArray(new Expression[0])), TYPE);
  }

  private static Expression rgb(List<Expression> arguments) {
    if (arguments.size() != 3 || !arguments.stream().allMatch(each -> becomes(each, DataTypes.LongType))) {
      throw unexpected("rgb", arguments);
    }
    return made("rgb", arguments, DataTypes.LongType, DataTypes.LongType, DataTypes.LongType);
  }

  private static Expression color(List<Expression> arguments) {
    DataType number = DataTypes.DoubleType;
    DataType color = DataTypes.LongType;
    int size = arguments.size();
    if (size == 1 && Texts.isText(arguments.get(0))) {
      return made("named", arguments, DataTypes.StringType);
    }
    boolean colors = size >= 3 && isColor(arguments.get(size - 1)) && isColor(arguments.get(size - 2));
    boolean numbers = colors && arguments.subList(0, size - 2).stream().allMatch(each -> becomes(each, number));
    if (numbers && size == 3) {
      return made("between", arguments, number, color, color);
    }
    if (numbers && size == 5) {
      return made("between", arguments, number, number, number, color, color);
    }
    throw unexpected("color", arguments);
  }

  private static Expression render(List<Expression> arguments) {
    if (arguments.size() == 1 && arguments.get(0).dataType() instanceof BooleanType) {
      Expression truth = invoke(ColorFunctions.class, "rendered", DataTypes.StringType, Typed.plain(arguments.get(0)));
      return Typed.as(truth, "varchar(16)");
    }
    if (arguments.size() != 2 || !isColor(arguments.get(1))) {
      throw unexpected("render", arguments);
    }
    Expression value = arguments.get(0);
    Expression color = cast(Typed.plain(arguments.get(1)), DataTypes.LongType);
    if (value.dataType() instanceof StringType && Texts.isText(value)) {
      Expression text = invoke(ColorFunctions.class, "rendered", DataTypes.StringType, Typed.plain(value), color);
      Integer length = Texts.boundOf(value);
      return length == null ? text : Typed.as(text, "varchar(" + (length + MARKS) + ")");
    }
    if (becomes(value, DataTypes.LongType)) {
      Expression whole = cast(Typed.plain(value), DataTypes.LongType);
      return Typed.as(invoke(ColorFunctions.class, "rendered", DataTypes.StringType, whole, color), "varchar(35)");
    }
    if (becomes(value, DataTypes.DoubleType)) {
      Expression real = cast(Typed.plain(value), DataTypes.DoubleType);
      return Typed.as(invoke(ColorFunctions.class, "rendered", DataTypes.StringType, real, color), "varchar(41)");
    }
    throw unexpected("render", arguments);
  }

  private static Expression bar(List<Expression> arguments) {
    int size = arguments.size();
    boolean colors = size == 2 || (size == 4 && isColor(arguments.get(2)) && isColor(arguments.get(3)));
    if (!colors || !becomes(arguments.get(0), DataTypes.DoubleType) || !becomes(arguments.get(1), DataTypes.LongType)) {
      throw unexpected("bar", arguments);
    }
    return invoke(
        ColorFunctions.class,
        "bar",
        DataTypes.StringType,
        cast(Typed.plain(arguments.get(0)), DataTypes.DoubleType),
        cast(Typed.plain(arguments.get(1)), DataTypes.LongType),
        size == 2 ? literal(RED) : cast(Typed.plain(arguments.get(2)), DataTypes.LongType),
        size == 2 ? literal(GREEN) : cast(Typed.plain(arguments.get(3)), DataTypes.LongType));
  }

  // Called for each row.

  public static long rgb(long red, long green, long blue) {
    part("red", red);
    part("green", green);
    part("blue", blue);
    return red << 16 | green << 8 | blue;
  }

  private static void part(String name, long value) {
    if (value < 0 || value > 255) {
      throw TrinoFailure.argument(name + " must be between 0 and 255");
    }
  }

  /** Of {@code #rgb} or the name of a color of terminals. */
  public static long named(UTF8String text) {
    String name = text.toString();
    if (name.length() == 4 && name.charAt(0) == '#') {
      int[] parts = {digit(name, 1), digit(name, 2), digit(name, 3)};
      if (parts[0] >= 0 && parts[1] >= 0 && parts[2] >= 0) {
        return rgb(parts[0] * 17, parts[1] * 17, parts[2] * 17);
      }
    }
    int index = NAMES.indexOf(name.toLowerCase(Locale.ROOT));
    if (index < 0) {
      throw TrinoFailure.argument("Invalid color: '" + name + "'");
    }
    return -(index + 1);
  }

  private static int digit(String text, int at) {
    return text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
  }

  public static long between(double value, double low, double high, long lowColor, long highColor) {
    return between((value - low) * 1.0 / (high - low), lowColor, highColor);
  }

  public static long between(double fraction, long lowColor, long highColor) {
    if (lowColor < 0) {
      throw TrinoFailure.argument("lowColor not a valid RGB color");
    }
    if (highColor < 0) {
      throw TrinoFailure.argument("highColor not a valid RGB color");
    }
    return mixed((float) Math.max(0, Math.min(1, fraction)), lowColor, highColor);
  }

  /** Between two colors by hue, saturation and brightness. */
  private static long mixed(float fraction, long low, long high) {
    float[] one = parts(low);
    float[] other = parts(high);
    float[] mixed = new float[3];
    for (int i = 0; i < 3; i++) {
      mixed[i] = fraction * (other[i] - one[i]) + one[i];
    }
    return java.awt.Color.HSBtoRGB(mixed[0], mixed[1], mixed[2]) & 0xffffff;
  }

  private static float[] parts(long color) {
    if (color < 0) {
      throw TrinoFailure.argument("color is not a valid rgb value");
    }
    return java.awt.Color.RGBtoHSB((int) (color >> 16 & 0xff), (int) (color >> 8 & 0xff), (int) (color & 0xff), null);
  }

  private static String escape(long color) {
    long index = -color - 1;
    if (color >= 0) {
      index = 16 + (color >> 16 & 0xff) * 6 / 256 * 36 + (color >> 8 & 0xff) * 6 / 256 * 6 + (color & 0xff) * 6 / 256;
    }
    return "\u001b[38;5;" + index + 'm';
  }

  private static UTF8String colored(String text, long color) {
    return UTF8String.fromString(escape(color) + text + RESET);
  }

  public static UTF8String rendered(UTF8String value, long color) {
    return colored(value.toString(), color);
  }

  public static UTF8String rendered(long value, long color) {
    return colored(Long.toString(value), color);
  }

  public static UTF8String rendered(double value, long color) {
    return colored(Double.toString(value), color);
  }

  public static UTF8String rendered(boolean value) {
    return value ? colored("\u2713", -3) : colored("\u2717", -2);
  }

  public static UTF8String bar(double share, long width, long low, long high) {
    long filled = Math.max(0, Math.min(width, (int) (share * width)));
    Allocation.bytes("bar", Math.max(0, width - filled) + filled * (MARKS + 3));
    StringBuilder bar = new StringBuilder();
    for (int i = 0; i < filled; i++) {
      bar.append(escape(mixed((float) (i * 1.0 / (width - 1)), low, high))).append('\u2588');
    }
    return UTF8String.fromString(bar.append(RESET).append(" ".repeat((int) Math.max(0, width - filled))).toString());
  }
}
