package sqe.spark.trino;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@link SqlJson} calls for each row. */
public final class SqlJsonMethods {
  private static final int MAX_KEPT = 1_000;
  private static final Map<UTF8String, JsonPath> PATHS = new ConcurrentHashMap<>();
  private static final int EMPTY = 1;
  private static final int ERROR = 2;

  private SqlJsonMethods() {}

  private static List<Object> found(UTF8String json, UTF8String path, UTF8String passed) {
    JsonPath known = PATHS.get(path);
    if (known == null) {
      if (PATHS.size() > MAX_KEPT) {
        PATHS.clear();
      }
      known = JsonPath.of(path.toString());
      PATHS.put(path.clone(), known);
    }
    JsonNode input = input(json);
    if (input == null) {
      throw new JsonPathScope.Failed("conversion to JSON failed: ");
    }
    try {
      return known.find(input, input(passed));
    } catch (JsonPathScope.Failed e) {
      throw new JsonPathScope.Failed("path evaluation failed: " + e.getMessage());
    }
  }

  /** The value of a text; null when it is not JSON. */
  private static JsonNode input(UTF8String json) {
    try {
      return Json.tree(json);
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (IOException e) {
      return null;
    }
  }

  public static Boolean exists(UTF8String json, UTF8String path, UTF8String onError, UTF8String passed) {
    try {
      return !found(json, path, passed).isEmpty();
    } catch (JsonPathScope.Failed e) {
      return switch (onError.toString()) {
        case "true" -> true;
        case "false" -> false;
        case "unknown" -> null;
        default -> throw TrinoFailure.argument(e.getMessage());
      };
    }
  }

  public static UTF8String query(
      UTF8String json, UTF8String path, UTF8String wrapper, boolean omit, UTF8String onEmpty, UTF8String onError, UTF8String passed) {
    List<Object> items;
    try {
      items = found(json, path, passed);
    } catch (JsonPathScope.Failed e) {
      return special(onError, e.getMessage());
    }
    if (items.isEmpty()) {
      return special(onEmpty, "conversion from JSON failed: JSON path found no items");
    }
    JsonNode first = JsonPathSteps.node(items.get(0));
    boolean wrap =
        switch (wrapper.toString()) {
          case "unconditional" -> true;
          case "conditional" -> items.size() != 1 || !first.isContainerNode();
          default -> false;
        };
    if (!wrap && items.size() > 1) {
      return special(onError, "conversion from JSON failed: JSON path found multiple items");
    }
    if (!wrap) {
      return omit && first.isTextual() ? UTF8String.fromString(first.textValue()) : text(first);
    }
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Object item : items) {
      array.add(JsonPathSteps.node(item));
    }
    return text(array);
  }

  private static UTF8String special(UTF8String behaviour, String message) {
    return switch (behaviour.toString()) {
      case "null" -> null;
      case "empty array" -> UTF8String.fromString("[]");
      case "empty object" -> UTF8String.fromString("{}");
      default -> throw TrinoFailure.argument(message);
    };
  }

  private static UTF8String text(JsonNode node) {
    return Json.written(out -> Json.write(node, out));
  }

  /** The value, and which default stands for it: 0 none, 1 that for an empty result, 2 that for an error. */
  public static InternalRow value(
      UTF8String json, UTF8String path, UTF8String type, UTF8String onEmpty, UTF8String onError, UTF8String passed) {
    String message;
    try {
      List<Object> items = found(json, path, passed);
      if (items.isEmpty()) {
        return answer(onEmpty, EMPTY, "cannot extract SQL scalar from JSON: JSON path found no items");
      }
      if (items.size() > 1) {
        return answer(onError, ERROR, "cannot extract SQL scalar from JSON: JSON path found multiple items");
      }
      Object item = items.get(0);
      if (item instanceof JsonNode node && node.isNull()) {
        return answer(null, 0);
      }
      message = "cannot extract SQL scalar from JSON: JSON path found an item that cannot be converted to an SQL value";
      Object value = item instanceof JsonNode node && node.isBigInteger() ? null : JsonPathSteps.scalar(item);
      if (value != null) {
        message = "cannot extract SQL scalar from JSON: Cannot cast value to declared return type of function JSON_VALUE: " + type;
        return answer(converted(value, JsonCastMethods.type(type)), 0);
      }
    } catch (JsonPathScope.Failed e) {
      message = e.getMessage();
    } catch (TrinoFailure.Cast | TrinoFailure.Range | ArithmeticException e) {
      message = "cannot extract SQL scalar from JSON: " + e.getMessage();
    }
    return answer(onError, ERROR, message);
  }

  private static InternalRow answer(UTF8String behaviour, int which, String message) {
    return switch (behaviour.toString()) {
      case "null" -> answer(null, 0);
      case "default" -> answer(null, which);
      default -> throw TrinoFailure.argument(message);
    };
  }

  private static InternalRow answer(Object value, int which) {
    return new GenericInternalRow(new Object[] {value, which});
  }

  /** Cast a scalar of a path as Trino casts it. */
  private static Object converted(Object value, TrinoType type) {
    UTF8String text = value instanceof String given ? UTF8String.fromString(given) : null;
    int first = type.numbers().isEmpty() ? -1 : type.numbers().get(0);
    return switch (type.name()) {
      case "varchar" -> {
        UTF8String made = text == null ? textOf(value) : text;
        if (first >= 0 && made.numChars() > first) {
          if (text == null) {
            throw TrinoFailure.cast("Value " + made + " cannot be represented as " + type);
          }
          yield made.substring(0, first);
        }
        yield made;
      }
      case "char" -> {
        if (text == null) {
          throw TrinoFailure.cast("Cannot cast the value to " + type);
        }
        int length = Math.max(first, 1);
        yield text.substring(0, length).rpad(length, UTF8String.fromString(" "));
      }
      case "boolean" -> {
        if (text != null) {
          yield CastMethods.toBoolean(text);
        }
        yield value instanceof Boolean given ? given : ((Number) value).doubleValue() != 0;
      }
      case "tinyint" -> text != null ? CastMethods.toTinyint(text) : (byte) integer(value, Byte.MAX_VALUE, type);
      case "smallint" -> text != null ? CastMethods.toSmallint(text) : (short) integer(value, Short.MAX_VALUE, type);
      case "integer", "int" -> text != null ? CastMethods.toInteger(text) : (int) integer(value, Integer.MAX_VALUE, type);
      case "bigint" -> text != null ? CastMethods.toBigint(text) : integer(value, Long.MAX_VALUE, type);
      case "real" -> text != null ? CastMethods.toReal(text) : value instanceof Boolean given ? (given ? 1f : 0f) : ((Number) value).floatValue();
      case "double" -> text != null ? CastMethods.toDouble(text) : value instanceof Boolean given ? (given ? 1d : 0d) : ((Number) value).doubleValue();
      case "decimal" -> {
        int precision = first < 0 ? 38 : first;
        int scale = type.numbers().size() < 2 ? 0 : type.numbers().get(1);
        if (value instanceof Double number) {
          yield CastMethods.toDecimal(number, precision, scale);
        }
        UTF8String digits = value instanceof Boolean given ? UTF8String.fromString(given ? "1" : "0") : text != null ? text : textOf(value);
        yield CastMethods.textToDecimal(digits, precision, scale);
      }
      default -> {
        if (text == null) {
          throw TrinoFailure.cast("Cannot cast the value to " + type);
        }
        int digits = first < 0 ? 3 : first;
        yield switch (type.name()) {
          case "date" -> (Object) CastMethods.toDate(text);
          case "timestamp" -> (Object) CastMethods.toTimestamp(text, digits);
          default -> (Object) CastMethods.toTime(text, digits);
        };
      }
    };
  }

  private static UTF8String textOf(Object value) {
    if (value instanceof Double number) {
      return CastMethods.doubleText(number);
    }
    return UTF8String.fromString(value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString());
  }

  private static long integer(Object value, long most, TrinoType type) {
    if (value instanceof Double number) {
      return CastMethods.toLong(number, most, UTF8String.fromString(type.name()));
    }
    long whole =
        value instanceof Boolean given
            ? (given ? 1 : 0)
            : value instanceof BigDecimal decimal
                ? decimal.setScale(0, RoundingMode.HALF_UP).longValueExact()
                : ((Number) value).longValue();
    if (whole > most || whole < -most - 1) {
      throw TrinoFailure.range("Out of range for " + type + ": " + whole);
    }
    return whole;
  }

  public static UTF8String array(InternalRow row, UTF8String type, UTF8String formats, boolean nulls) {
    StructType fields = (StructType) Values.type(type);
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < fields.length(); i++) {
      JsonNode node = node(row, i, fields, formats.getByte(i) == SqlJson.FORMATTED);
      if (node != null || nulls) {
        array.add(node);
      }
    }
    return text(array);
  }

  /** Trino has the members in the order of Java's hash map. */
  public static UTF8String object(InternalRow row, UTF8String type, UTF8String formats, boolean nulls, boolean unique) {
    StructType fields = (StructType) Values.type(type);
    Map<String, JsonNode> members = new HashMap<>();
    for (int i = 0; i < fields.length(); i += 2) {
      if (row.isNullAt(i)) {
        throw TrinoFailure.argument("null value passed for JSON object key to JSON_OBJECT function");
      }
      boolean passed = formats.getByte(i / 2) == SqlJson.PASSED;
      JsonNode node = node(row, i + 1, fields, passed || formats.getByte(i / 2) == SqlJson.FORMATTED);
      if (node == null && (!nulls || passed)) {
        continue;
      }
      if (members.put(row.getUTF8String(i).toString(), node == null ? NullNode.getInstance() : node) != null) {
        throw unique
            ? TrinoFailure.argument("duplicate key passed to JSON_OBJECT function")
            : TrinoFailure.unsupportedValue("cannot construct a JSON object with duplicate key");
      }
    }
    return text(new ObjectNode(JsonNodeFactory.instance, members));
  }

  private static JsonNode node(InternalRow row, int ordinal, StructType fields, boolean json) {
    DataType type = fields.fields()[ordinal].dataType();
    Object value = Values.get(row, ordinal, type);
    if (value == null) {
      return null;
    } else if (json) {
      JsonNode node = input((UTF8String) value);
      if (node == null) {
        throw TrinoFailure.argument("conversion to JSON failed: ");
      }
      return node;
    } else if (value instanceof Boolean given) {
      return BooleanNode.valueOf(given);
    } else if (value instanceof Double number) {
      return DoubleNode.valueOf(number);
    } else if (value instanceof Float number) {
      return FloatNode.valueOf(number);
    } else if (value instanceof Decimal number) {
      return DecimalNode.valueOf(number.toJavaBigDecimal());
    } else if (value instanceof Number number) {
      return LongNode.valueOf(number.longValue());
    }
    return TextNode.valueOf(value.toString());
  }

  private static Charset charset(UTF8String format) {
    return switch (format.toString()) {
      case "json utf16" -> StandardCharsets.UTF_16LE;
      case "json utf32" -> Charset.forName("UTF-32LE");
      default -> StandardCharsets.UTF_8;
    };
  }

  public static UTF8String decoded(byte[] bytes, UTF8String format) {
    return UTF8String.fromString(new String(bytes, charset(format)));
  }

  public static byte[] encoded(UTF8String text, UTF8String format) {
    return text.toString().getBytes(charset(format));
  }
}
