package sqe.spark.trino;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.StringWriter;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@link JsonCasts} calls for each row. */
public final class JsonCastMethods {
  private static final int MAX_KEPT = 1_000;
  private static final int MAX_SHOWN = 10_000;
  private static final Map<UTF8String, TrinoType> TYPES = new ConcurrentHashMap<>();

  private JsonCastMethods() {}

  /** A value that a type does not take, for the message of the whole cast. */
  private static final class Unexpected extends RuntimeException {
    Unexpected(String message) {
      super(message, null, false, false);
    }
  }

  static TrinoType type(UTF8String text) {
    TrinoType known = TYPES.get(text);
    if (known == null) {
      if (TYPES.size() > MAX_KEPT) {
        TYPES.clear();
      }
      known = TrinoType.of(text.toString());
      TYPES.put(text.clone(), known);
    }
    return known;
  }

  /** The only value of a row as JSON; NULL for NULL. */
  public static UTF8String write(InternalRow row, UTF8String spark, UTF8String trino) {
    DataType type = Values.type(spark);
    Object value = Values.get(row, 0, type);
    return value == null ? null : Json.written(out -> write(value, type, type(trino), out));
  }

  private static void write(Object value, DataType type, TrinoType trino, JsonGenerator out) throws IOException {
    if (value == null) {
      out.writeNull();
      return;
    }
    switch (trino.name()) {
      case "array" -> {
        DataType element = ((ArrayType) type).elementType();
        ArrayData array = (ArrayData) value;
        out.writeStartArray();
        for (int i = 0; i < array.numElements(); i++) {
          write(Values.get(array, i, element), element, trino.types().get(0), out);
        }
        out.writeEndArray();
      }
      case "map" -> writeMap((MapData) value, (MapType) type, trino, out);
      case "row" -> {
        StructType fields = (StructType) type;
        out.writeStartObject();
        for (int i = 0; i < fields.length(); i++) {
          DataType field = fields.fields()[i].dataType();
          out.writeFieldName(trino.fields().get(i) == null ? "" : trino.fields().get(i));
          write(Values.get((InternalRow) value, i, field), field, trino.types().get(i), out);
        }
        out.writeEndObject();
      }
      case "json" -> out.writeRawValue(value.toString());
      case "boolean" -> out.writeBoolean((boolean) value);
      case "real" -> out.writeNumber((float) value);
      case "double" -> out.writeNumber((double) value);
      case "decimal" -> out.writeNumber(((Decimal) value).toJavaBigDecimal());
      case "date" -> {
        String date = LocalDate.ofEpochDay((int) value).toString();
        out.writeString(date.startsWith("+") ? date.substring(1) : date);
      }
      case "timestamp" -> {
        int digits = trino.numbers().isEmpty() ? 3 : trino.numbers().get(0);
        String text =
            value instanceof InternalRow wide
                ? WideMethods.timestampText(wide.getLong(0), wide.getInt(1), digits).toString()
                : CastMethods.timestamp((long) value, digits);
        out.writeString(text.indexOf('-', 1) > 4 && !text.startsWith("-") ? "+" + text : text);
      }
      case "varchar" -> out.writeString(value.toString());
      default -> out.writeNumber(((Number) value).longValue());
    }
  }

  private static void writeMap(MapData map, MapType type, TrinoType trino, JsonGenerator out) throws IOException {
    Map<String, Object> sorted = new TreeMap<>();
    for (int i = 0; i < map.numElements(); i++) {
      Object key = Values.get(map.keyArray(), i, type.keyType());
      String name = key instanceof Decimal decimal ? decimal.toJavaBigDecimal().toPlainString() : String.valueOf(key);
      sorted.put(name, Values.get(map.valueArray(), i, type.valueType()));
    }
    out.writeStartObject();
    for (Map.Entry<String, Object> member : sorted.entrySet()) {
      out.writeFieldName(member.getKey());
      write(member.getValue(), type.valueType(), trino.types().get(1), out);
    }
    out.writeEndObject();
  }

  /** A row with the value of a JSON text as its only value. */
  public static InternalRow read(UTF8String json, UTF8String trino) {
    TrinoType type = type(trino);
    boolean nested = !type.types().isEmpty();
    String to = nested ? "Cannot cast to " + type + "." : "Cannot cast '" + shown(json) + "' to " + type;
    try (JsonParser parser = Json.parser(json)) {
      parser.nextToken();
      Object value = read(parser, type);
      if (parser.nextToken() != null) {
        throw new Unexpected("Unexpected trailing token: " + parser.getText());
      }
      return new GenericInternalRow(new Object[] {value});
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (TrinoFailure.Cast e) {
      throw nested ? TrinoFailure.cast(to + " " + e.getMessage() + "\n" + shown(json)) : e;
    } catch (Unexpected e) {
      throw TrinoFailure.cast(nested ? to + " " + e.getMessage() + "\n" + shown(json) : to);
    } catch (IOException e) {
      throw TrinoFailure.cast(nested ? to + "\n" + shown(json) : to);
    }
  }

  private static String shown(UTF8String json) {
    return json.numChars() > MAX_SHOWN ? json.substring(0, MAX_SHOWN) + "...(truncated)" : json.toString();
  }

  private static Object read(JsonParser parser, TrinoType type) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new Unexpected("Unexpected end of value");
    }
    if (type.name().equals("json")) {
      StringWriter text = new StringWriter();
      try (JsonGenerator out = Json.FACTORY.createGenerator(text)) {
        Json.copy(parser, out);
      }
      return UTF8String.fromString(text.toString());
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    return switch (type.name()) {
      case "array" -> {
        expect(parser, token == JsonToken.START_ARRAY, "Expected a json array, but got ");
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(read(parser, type.types().get(0)));
        }
        yield new GenericArrayData(elements.toArray());
      }
      case "map" -> {
        expect(parser, token == JsonToken.START_OBJECT, "Expected a json object, but got ");
        List<Object> keys = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          Object key = read(parser, type.types().get(0));
          parser.nextToken();
          if (!seen.add(key)) {
            throw new Unexpected("Duplicate keys are not allowed");
          }
          keys.add(key);
          values.add(read(parser, type.types().get(1)));
        }
        yield new ArrayBasedMapData(new GenericArrayData(keys.toArray()), new GenericArrayData(values.toArray()));
      }
      case "row" -> row(parser, type);
      default -> scalar(parser, token, type);
    };
  }

  private static void expect(JsonParser parser, boolean met, String message) throws IOException {
    if (!met) {
      throw new Unexpected(message + parser.getText());
    }
  }

  private static InternalRow row(JsonParser parser, TrinoType type) throws IOException {
    Object[] values = new Object[type.types().size()];
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      for (int i = 0; i < values.length; i++) {
        parser.nextToken();
        values[i] = read(parser, type.types().get(i));
      }
      expect(parser, parser.nextToken() == JsonToken.END_ARRAY, "Expected json array ending, but got ");
      return new GenericInternalRow(values);
    }
    expect(parser, parser.currentToken() == JsonToken.START_OBJECT, "Expected a json array or object, but got ");
    if (type.fields().get(0) == null) {
      throw new Unexpected("Cannot cast a JSON object to anonymous row type. Input must be a JSON array.");
    }
    boolean[] set = new boolean[values.length];
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName().toLowerCase(Locale.ENGLISH);
      int index = values.length - 1;
      while (index >= 0 && !name.equalsIgnoreCase(type.fields().get(index))) {
        index--;
      }
      parser.nextToken();
      if (index < 0) {
        parser.skipChildren();
        continue;
      }
      if (set[index]) {
        throw new Unexpected("Duplicate field: " + name);
      }
      set[index] = true;
      values[index] = read(parser, type.types().get(index));
    }
    return new GenericInternalRow(values);
  }

  private static Object scalar(JsonParser parser, JsonToken token, TrinoType type) throws IOException {
    boolean text = token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME;
    boolean whole = token == JsonToken.VALUE_NUMBER_INT;
    boolean truth = token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
    if (!text && !whole && !truth && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw new Unexpected("Unexpected token when cast to " + type + ": " + parser.getText());
    }
    UTF8String written = UTF8String.fromString(parser.getText());
    long bit = token == JsonToken.VALUE_TRUE ? 1 : 0;
    return switch (type.name()) {
      case "boolean" ->
          text ? CastMethods.toBoolean(written) : truth ? bit == 1 : whole ? parser.getLongValue() != 0 : parser.getDoubleValue() != 0;
      case "tinyint" -> text ? CastMethods.toTinyint(written) : (byte) integer(parser, token, bit, Byte.MAX_VALUE, type);
      case "smallint" -> text ? CastMethods.toSmallint(written) : (short) integer(parser, token, bit, Short.MAX_VALUE, type);
      case "integer", "int" -> text ? CastMethods.toInteger(written) : (int) integer(parser, token, bit, Integer.MAX_VALUE, type);
      case "bigint" -> text ? CastMethods.toBigint(written) : integer(parser, token, bit, Long.MAX_VALUE, type);
      case "real" -> text ? CastMethods.toReal(written) : truth ? (float) bit : parser.getFloatValue();
      case "double" -> text ? CastMethods.toDouble(written) : truth ? (double) bit : parser.getDoubleValue();
      case "decimal" -> {
        int precision = type.numbers().isEmpty() ? 38 : type.numbers().get(0);
        int scale = type.numbers().size() < 2 ? 0 : type.numbers().get(1);
        yield CastMethods.textToDecimal(truth ? UTF8String.fromString(Long.toString(bit)) : written, precision, scale);
      }
      case "varchar" -> {
        UTF8String value = token == JsonToken.VALUE_NUMBER_FLOAT ? CastMethods.doubleText(parser.getDoubleValue()) : written;
        if (!type.numbers().isEmpty() && value.numChars() > type.numbers().get(0)) {
          throw new Unexpected("The text is longer than " + type);
        }
        yield value;
      }
      default -> throw new Unexpected("Unexpected type " + type);
    };
  }

  private static long integer(JsonParser parser, JsonToken token, long bit, long most, TrinoType type) throws IOException {
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      return CastMethods.toLong(parser.getDoubleValue(), most, UTF8String.fromString(type.name()));
    }
    long value = token == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : bit;
    if (value > most || value < -most - 1) {
      throw new Unexpected("Out of range for " + type + ": " + value);
    }
    return value;
  }
}
