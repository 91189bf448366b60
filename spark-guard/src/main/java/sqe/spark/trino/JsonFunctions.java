package sqe.spark.trino;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of JSON text, with Trino's own paths: {@code $.a["b"][0]}. */
public final class JsonFunctions {
  /** Is compared by its identity: it stands for JSON's null. */
  private static final String NO_VALUE = new String("null");

  private static final int MAX_SHOWN = 10_000;
  private static final int MAX_PATH = 10_000;
  private static final int MAX_KEPT = 1_000;
  private static final Map<UTF8String, List<String>> PATHS = new ConcurrentHashMap<>();

  private JsonFunctions() {}

  static void register(Map<String, Builder> functions) {
    functions.put("json_format", JsonFunctions::format);
  }

  private static Expression format(List<Expression> arguments) {
    boolean one = arguments.size() == 1;
    if (one && (Typed.is(arguments.get(0), "json") || arguments.get(0).dataType() instanceof NullType)) {
      return Typed.as(Expressions.cast(arguments.get(0), org.apache.spark.sql.types.DataTypes.StringType), "varchar");
    }
    throw TrinoFailure.function(
        "Unexpected parameters ("
            + String.join(", ", arguments.stream().map(TrinoTypes::text).toList())
            + ") for function json_format. Expected: json_format(json)");
  }

  // Called for each row.

  /** The text with sorted keys, the last of equal ones. */
  @Scalar(value = "json_parse", typed = "json")
  public static UTF8String jsonParse(UTF8String text) {
    try (JsonParser parser = Json.parser(text)) {
      Object value = read(parser, parser.nextToken());
      if (parser.nextToken() == null) {
        return Json.written(out -> write(value, out));
      }
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (IOException e) {
      // as below
    }
    throw TrinoFailure.argument("Cannot convert value to JSON: '" + shown(text) + "'");
  }

  private static Object read(JsonParser parser, JsonToken token) throws IOException {
    if (token == null) {
      throw new com.fasterxml.jackson.core.JsonParseException(parser, "Unexpected end of value");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> members = new TreeMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          members.put(name, read(parser, parser.nextToken()));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
          elements.add(read(parser, next));
        }
        yield elements;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static void write(Object value, JsonGenerator out) throws IOException {
    if (value instanceof Map<?, ?> members) {
      out.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        out.writeFieldName((String) member.getKey());
        write(member.getValue(), out);
      }
      out.writeEndObject();
    } else if (value instanceof List<?> elements) {
      out.writeStartArray();
      for (Object element : elements) {
        write(element, out);
      }
      out.writeEndArray();
    } else {
      out.writePOJO(value);
    }
  }

  private static String shown(UTF8String text) {
    return text.numChars() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "...(truncated)" : text.toString();
  }

  @Scalar("is_json_scalar")
  public static boolean isJsonScalar(UTF8String text) {
    try (JsonParser parser = Json.parser(text)) {
      JsonToken token = parser.nextToken();
      if (token != null) {
        parser.skipChildren();
        if (parser.nextToken() == null) {
          return !token.isStructStart();
        }
      }
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (IOException e) {
      // as below
    }
    throw TrinoFailure.argument("Invalid JSON value: " + shown(text));
  }

  /** What is found in an array, element by element; null where the text is no array. */
  @FunctionalInterface
  private interface Search<T> {
    /** The answer at an element, or null to go on; at the end the element's token is null. */
    T at(JsonParser parser, JsonToken element) throws IOException;
  }

  private static <T> T inArray(UTF8String text, Search<T> search) {
    try (JsonParser parser = Json.parser(text)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return null;
      }
      while (true) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          return null;
        }
        T found = search.at(parser, token == JsonToken.END_ARRAY ? null : token);
        if (found != null || token == JsonToken.END_ARRAY) {
          return found;
        }
        parser.skipChildren();
      }
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (IOException e) {
      return null;
    }
  }

  @Scalar(value = "json_array_length", returns = "BIGINT")
  public static Long jsonArrayLength(UTF8String text) {
    long[] length = {0};
    return inArray(
        text,
        (parser, token) -> {
          if (token == null) {
            return length[0];
          }
          length[0]++;
          return null;
        });
  }

  @Scalar(value = "json_array_contains", returns = "BOOLEAN")
  public static Boolean jsonArrayContains(UTF8String text, boolean value) {
    JsonToken wanted = value ? JsonToken.VALUE_TRUE : JsonToken.VALUE_FALSE;
    return inArray(text, (parser, token) -> token == null ? Boolean.FALSE : token == wanted ? Boolean.TRUE : null);
  }

  @Scalar(value = "json_array_contains", returns = "BOOLEAN")
  public static Boolean jsonArrayContains(UTF8String text, long value) {
    return inArray(
        text,
        (parser, token) -> {
          boolean found =
              token == JsonToken.VALUE_NUMBER_INT
                  && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                  && parser.getLongValue() == value;
          return token == null ? Boolean.FALSE : found ? Boolean.TRUE : null;
        });
  }

  @Scalar(value = "json_array_contains", returns = "BOOLEAN")
  public static Boolean jsonArrayContains(UTF8String text, double value) {
    if (!Double.isFinite(value)) {
      return false;
    }
    return inArray(
        text,
        (parser, token) -> {
          boolean found = token == JsonToken.VALUE_NUMBER_FLOAT && parser.getDoubleValue() == value;
          return token == null ? Boolean.FALSE : found ? Boolean.TRUE : null;
        });
  }

  @Scalar(value = "json_array_contains", returns = "BOOLEAN")
  public static Boolean jsonArrayContains(UTF8String text, UTF8String value) {
    String wanted = value.toString();
    return inArray(
        text,
        (parser, token) -> {
          boolean found = token == JsonToken.VALUE_STRING && wanted.equals(parser.getText());
          return token == null ? Boolean.FALSE : found ? Boolean.TRUE : null;
        });
  }

  /** The element at a position, from the end when it is negative; text is without its quotes, as Trino has it. */
  @Scalar(value = "json_array_get", typed = "json")
  public static UTF8String jsonArrayGet(UTF8String text, long index) {
    if (index == Long.MIN_VALUE) {
      return null;
    }
    ArrayDeque<String> last = new ArrayDeque<>();
    long[] count = {0};
    String[] found = {null};
    inArray(
        text,
        (parser, token) -> {
          if (token == null) {
            found[0] = index < 0 && count[0] >= -index ? last.getFirst() : null;
            if (found[0] == NO_VALUE) {
              throw TrinoFailure.argument("string is null"); // Trino fails, too
            }
            return Boolean.TRUE;
          }
          if (index < 0) {
            last.addLast(element(parser, token));
            if (count[0] >= -index) {
              last.removeFirst();
            }
          } else if (count[0] == index) {
            String element = element(parser, token);
            found[0] = element == NO_VALUE ? null : element;
            return Boolean.TRUE;
          }
          count[0]++;
          return null;
        });
    return found[0] == null ? null : UTF8String.fromString(found[0]);
  }

  private static String element(JsonParser parser, JsonToken token) throws IOException {
    if (token == JsonToken.VALUE_NULL) {
      return NO_VALUE;
    }
    if (!token.isStructStart()) {
      return parser.getText();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.FACTORY.createGenerator(text)) {
      Json.copy(parser, out);
    }
    return text.toString();
  }

  /** What a path leads to. */
  @FunctionalInterface
  private interface Found<T> {
    T at(JsonParser parser) throws IOException;
  }

  private static <T> T extracted(UTF8String text, UTF8String path, Found<T> found) {
    List<String> names = names(path);
    try (JsonParser parser = Json.parser(text)) {
      if (parser.nextToken() == null) {
        return null;
      }
      for (String name : names) {
        if (!enter(parser, name)) {
          return null;
        }
      }
      return parser.currentToken() == null ? null : found.at(parser);
    } catch (StreamConstraintsException e) {
      throw Json.tooLarge();
    } catch (JsonProcessingException e) {
      return null;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Go to the first token of a member or an element; false where there is none. */
  private static boolean enter(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = parser.currentName().equals(name);
        parser.nextToken();
        if (found) {
          return true;
        }
        parser.skipChildren();
      }
      return false;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      return false;
    }
    int index;
    try {
      index = Integer.parseInt(name);
    } catch (NumberFormatException e) {
      index = -1;
    }
    for (int at = 0; ; at++) {
      JsonToken token = parser.nextToken();
      if (token == null || token == JsonToken.END_ARRAY) {
        return false;
      }
      if (at == index) {
        return true;
      }
      parser.skipChildren();
    }
  }

  private static List<String> names(UTF8String path) {
    List<String> known = PATHS.get(path);
    if (known == null) {
      if (path.numBytes() > MAX_PATH) {
        throw TrinoFailure.unsupportedValue("A path of more than " + MAX_PATH + " bytes is not supported.");
      }
      if (PATHS.size() > MAX_KEPT) {
        PATHS.clear();
      }
      known = read(path.toString());
      PATHS.put(path.clone(), known);
    }
    return known;
  }

  private static List<String> read(String path) {
    List<String> names = new ArrayList<>();
    int at = 1;
    if (!path.startsWith("$")) {
      throw invalid(path);
    }
    while (at < path.length()) {
      char c = path.charAt(at++);
      int start = at;
      if (c == '.') {
        while (at < path.length() && (isPlain(path.charAt(at)) || path.charAt(at) == ':')) {
          at++;
        }
        names.add(path.substring(start, at));
      } else if (c == '[' && at < path.length() && path.charAt(at) == '"') {
        StringBuilder name = new StringBuilder();
        for (at++; at < path.length() && path.charAt(at) != '"'; at++) {
          if (path.charAt(at) == '\\') {
            at++;
            if (at == path.length() || (path.charAt(at) != '"' && path.charAt(at) != '\\')) {
              throw invalid(path);
            }
          }
          name.append(path.charAt(at));
        }
        names.add(name.toString());
        if (!path.startsWith("\"]", at)) {
          throw invalid(path);
        }
        at += 2;
        continue;
      } else if (c == '[') {
        while (at < path.length() && isPlain(path.charAt(at))) {
          at++;
        }
        names.add(path.substring(start, at));
        if (!path.startsWith("]", at)) {
          throw invalid(path);
        }
        at++;
      } else {
        throw invalid(path);
      }
      if (names.get(names.size() - 1).isEmpty()) {
        throw invalid(path);
      }
    }
    return names;
  }

  private static boolean isPlain(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }

  private static TrinoFailure invalid(String path) {
    return TrinoFailure.argument("Invalid JSON path: '" + path + "'");
  }

  @Scalar(value = "json_extract", typed = "json")
  public static UTF8String jsonExtract(UTF8String text, UTF8String path) {
    return extracted(
        text,
        path,
        parser -> {
          JsonProcessingException[] failed = {null};
          UTF8String value =
              Json.written(
                  out -> {
                    try {
                      Json.copy(parser, out);
                    } catch (JsonProcessingException e) {
                      failed[0] = e;
                    }
                  });
          if (failed[0] != null) {
            throw failed[0];
          }
          return value;
        });
  }

  @Scalar("json_extract_scalar")
  public static UTF8String jsonExtractScalar(UTF8String text, UTF8String path) {
    return extracted(
        text,
        path,
        parser -> {
          JsonToken token = parser.currentToken();
          boolean scalar = token.isScalarValue() && token != JsonToken.VALUE_NULL;
          return scalar ? UTF8String.fromString(parser.getText()) : null;
        });
  }

  @Scalar(value = "json_size", returns = "BIGINT")
  public static Long jsonSize(UTF8String text, UTF8String path) {
    return extracted(
        text,
        path,
        parser -> {
          JsonToken end = parser.currentToken() == JsonToken.START_ARRAY ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
          long size = 0;
          if (parser.currentToken().isStructStart()) {
            for (JsonToken token = parser.nextToken(); token != end; token = parser.nextToken()) {
              if (token == null) {
                return null;
              }
              if (token == JsonToken.FIELD_NAME) {
                parser.nextToken();
              }
              parser.skipChildren();
              size++;
            }
          }
          return size;
        });
  }
}
