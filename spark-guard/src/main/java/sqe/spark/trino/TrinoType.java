package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;

/**
 * A type of Trino's, as a cast names it.
 *
 * @param name in lower case, without arguments, such as {@code timestamp with time zone}
 * @param numbers such as a length, or precision and scale
 * @param types of elements, of keys and values, or of fields
 * @param fields the names of a row's fields; null for one without
 */
record TrinoType(String name, List<Integer> numbers, List<TrinoType> types, List<String> fields) {
  /** Names that are not in lower case. */
  private static final Map<String, String> NAMES =
      Map.of("hyperloglog", "HyperLogLog", "p4hyperloglog", "P4HyperLogLog", "setdigest", "SetDigest");

  /** Read the text that the gateway writes: lower case, names of fields in double quotes. */
  static TrinoType of(String text) {
    Reader reader = new Reader(text);
    TrinoType type = reader.type();
    if (reader.at < text.length()) {
      throw new IllegalArgumentException("not a type: " + text);
    }
    return type;
  }

  /** A time or timestamp of so many digits. */
  static TrinoType ofTime(String name, int digits) {
    return new TrinoType(name, List.of(digits), List.of(), List.of());
  }

  /** Spark's type that holds its values. */
  DataType spark() {
    return switch (name) {
      case "boolean" -> DataTypes.BooleanType;
      case "tinyint" -> DataTypes.ByteType;
      case "smallint" -> DataTypes.ShortType;
      case "integer", "int" -> DataTypes.IntegerType;
      case "bigint" -> DataTypes.LongType;
      case "real" -> DataTypes.FloatType;
      case "double" -> DataTypes.DoubleType;
      case "varchar", "char", "json", "uuid", "ipaddress" -> DataTypes.StringType;
      case "varbinary", "HyperLogLog", "P4HyperLogLog", "SetDigest", "tdigest", "qdigest" -> DataTypes.BinaryType;
      case "color" -> DataTypes.LongType;
      case "date" -> DataTypes.DateType;
      case "decimal" -> new DecimalType(numbers.isEmpty() ? 38 : numbers.get(0), numbers.size() < 2 ? 0 : numbers.get(1));
      case "timestamp" -> isWide() ? new Wide(Wide.Kind.TIMESTAMP, fraction()).spark() : DataTypes.TimestampNTZType;
      case "timestamp with time zone" ->
          isWide() ? new Wide(Wide.Kind.TIMESTAMP_ZONED, fraction()).spark() : DataTypes.TimestampType;
      case "time" -> isWide() ? new Wide(Wide.Kind.TIME, fraction()).spark() : TimeType.apply(fraction());
      case "time with time zone" -> new Wide(Wide.Kind.TIME_ZONED, fraction()).spark();
      case "interval day to second" -> DataTypes.createDayTimeIntervalType();
      case "interval year to month" -> DataTypes.createYearMonthIntervalType();
      case "unknown" -> DataTypes.NullType;
      case "array" -> new ArrayType(types.get(0).spark(), true);
      case "map" -> new MapType(types.get(0).spark(), types.get(1).spark(), true);
      case "row" -> row();
      default -> throw TrinoFailure.unsupported("The type " + this + " is not supported.");
    };
  }

  /** The digits of a second's fraction. */
  int fraction() {
    int digits = numbers.isEmpty() ? 3 : numbers.get(0);
    if (digits > Wide.MAX_DIGITS) {
      throw TrinoFailure.types("Unknown type: " + this);
    }
    return digits;
  }

  private boolean isWide() {
    return fraction() > Wide.SPARK_DIGITS;
  }

  private StructType row() {
    StructField[] made = new StructField[types.size()];
    for (int i = 0; i < made.length; i++) {
      String field = fields.get(i) == null ? "field" + i : fields.get(i);
      made[i] = new StructField(field, types.get(i).spark(), true, Metadata.empty());
    }
    return new StructType(made);
  }

  /** Whether a value is the bytes of a digest. */
  boolean isDigest() {
    return switch (name) {
      case "HyperLogLog", "P4HyperLogLog", "SetDigest", "tdigest", "qdigest" -> true;
      default -> false;
    };
  }

  /** Whether Spark's type does not say which of Trino's it is. */
  boolean needsName() {
    return switch (name) {
      case "json", "uuid", "ipaddress", "char", "color", "time with time zone" -> true;
      case "HyperLogLog", "P4HyperLogLog", "SetDigest", "tdigest", "qdigest" -> true;
      case "time" -> isWide();
      case "varchar", "timestamp", "timestamp with time zone" -> !numbers.isEmpty() || name.startsWith("timestamp");
      default -> types.stream().anyMatch(TrinoType::needsName);
    };
  }

  @Override
  public String toString() {
    if (name.equals("row")) {
      List<String> all = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        all.add((fields.get(i) == null ? "" : '"' + fields.get(i).replace("\"", "\"\"") + "\" ") + types.get(i));
      }
      return "row(" + String.join(", ", all) + ")";
    }
    List<Object> arguments = new ArrayList<>(numbers);
    arguments.addAll(types);
    if (name.endsWith(" with time zone")) {
      String base = name.substring(0, name.indexOf(' '));
      return base + "(" + (numbers.isEmpty() ? 3 : numbers.get(0)) + ") with time zone";
    }
    if (name.equals("timestamp") || name.equals("time")) {
      return name + "(" + (numbers.isEmpty() ? 3 : numbers.get(0)) + ")";
    }
    return arguments.isEmpty() ? name : name + "(" + String.join(", ", arguments.stream().map(Object::toString).toList()) + ")";
  }

  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    TrinoType type() {
      String name = word();
      List<Integer> numbers = new ArrayList<>();
      List<TrinoType> types = new ArrayList<>();
      List<String> fields = new ArrayList<>();
      if (peek() == '(') {
        at++;
        do {
          skip();
          if (Character.isDigit(peek())) {
            int start = at;
            while (Character.isDigit(peek())) {
              at++;
            }
            numbers.add(Integer.parseInt(text.substring(start, at)));
          } else {
            fields.add(peek() == '"' ? quoted() : null);
            skip();
            types.add(type());
          }
          skip();
        } while (text.charAt(at++) == ',');
      }
      skip();
      if (text.startsWith("with time zone", at)) {
        at += "with time zone".length();
        name += " with time zone";
      }
      if (peek() == '@') { // the zone of all values, which is no part of the type
        while (at < text.length() && peek() != ',' && peek() != ')') {
          at++;
        }
      }
      return new TrinoType(name, numbers, types, fields);
    }

    private String word() {
      int start = at;
      while (Character.isLetterOrDigit(peek()) || peek() == '_') {
        at++;
      }
      String written = text.substring(start, at);
      String name = NAMES.getOrDefault(written, written);
      if (name.equals("interval")) {
        for (String rest : List.of(" day to second", " year to month")) {
          if (text.startsWith(rest, at)) {
            at += rest.length();
            return name + rest;
          }
        }
      }
      return name;
    }

    private String quoted() {
      StringBuilder name = new StringBuilder();
      at++;
      while (true) {
        char c = text.charAt(at++);
        if (c == '"') {
          if (peek() != '"') {
            return name.toString();
          }
          at++;
        }
        name.append(c);
      }
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : 0;
    }

    private void skip() {
      while (peek() == ' ') {
        at++;
      }
    }
  }
}
