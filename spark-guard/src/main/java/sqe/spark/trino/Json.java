package sqe.spark.trino;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads and writes JSON text as Trino does: a number with a point or an exponent is a double. */
final class Json {
  /** As {@code sqe.spark.bounds} has it for Spark's functions of JSON. */
  private static final int MAX_TEXT = 16 << 20;

  private static final int MAX_WRITTEN = 64 << 20;
  private static final int MAX_DEPTH = 900;

  /** The tree of a text has an object for each token. */
  private static final int MAX_TOKENS = 4_000_000;

  /** Java reads digits in the square of their time. */
  private static final int MAX_DIGITS = 10_000;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER) // the shortest digits, as newer versions of Java write them
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(MAX_TEXT)
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_DIGITS)
                  .maxTokenCount(MAX_TOKENS)
                  .build())
          .build();

  private static final ObjectMapper MAPPER = new ObjectMapper(FACTORY);

  private Json() {}

  /** What is written with a generator. */
  @FunctionalInterface
  interface Written {
    void to(JsonGenerator out) throws IOException;
  }

  static JsonParser parser(UTF8String text) throws IOException {
    if (text.numBytes() > MAX_TEXT) {
      throw TrinoFailure.unsupportedValue("JSON of more than " + MAX_TEXT + " bytes is not supported.");
    }
    return FACTORY.createParser(text.toString());
  }

  /** A text that Trino would read, but that has more levels, digits or values than this engine reads. */
  static TrinoFailure tooLarge() {
    return TrinoFailure.unsupportedValue("JSON of this size is not supported."); // its own message quotes the text
  }

  static UTF8String written(Written value) {
    Bounded out = new Bounded();
    try (JsonGenerator generator = FACTORY.createGenerator((OutputStream) out)) {
      value.to(generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return UTF8String.fromBytes(out.toByteArray());
  }

  /** Copy the value that begins with the parser's token. */
  static void copy(JsonParser parser, JsonGenerator out) throws IOException {
    int depth = 0;
    JsonToken token = parser.currentToken();
    while (true) {
      if (token == null) {
        throw new JsonParseException(parser, "Unexpected end of value");
      }
      switch (token) {
        case START_OBJECT -> {
          out.writeStartObject();
          depth++;
        }
        case START_ARRAY -> {
          out.writeStartArray();
          depth++;
        }
        case END_OBJECT -> {
          out.writeEndObject();
          depth--;
        }
        case END_ARRAY -> {
          out.writeEndArray();
          depth--;
        }
        case FIELD_NAME -> out.writeFieldName(parser.currentName());
        default -> scalar(parser, token, out);
      }
      if (depth == 0 && token != JsonToken.FIELD_NAME) {
        return;
      }
      token = parser.nextToken();
    }
  }

  private static void scalar(JsonParser parser, JsonToken token, JsonGenerator out) throws IOException {
    switch (token) {
      case VALUE_STRING -> out.writeString(parser.getText());
      case VALUE_NUMBER_INT -> {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          out.writeNumber(parser.getBigIntegerValue());
        } else {
          out.writeNumber(parser.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> out.writeNumber(parser.getDoubleValue());
      case VALUE_TRUE -> out.writeBoolean(true);
      case VALUE_FALSE -> out.writeBoolean(false);
      case VALUE_NULL -> out.writeNull();
      default -> throw new JsonParseException(parser, "Unexpected token");
    }
  }

  /** The value of a text, whatever follows it; a text without a value is null. */
  static JsonNode tree(UTF8String text) throws IOException {
    try (JsonParser parser = parser(text)) {
      JsonNode node = MAPPER.readTree(parser);
      return node == null || node.isMissingNode() ? NullNode.getInstance() : node;
    }
  }

  static void write(JsonNode node, JsonGenerator out) throws IOException {
    MAPPER.writeTree(out, node);
  }

  private static final class Bounded extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int start, int length) {
      if (count + (long) length > MAX_WRITTEN) {
        throw TrinoFailure.unsupportedValue("JSON of more than " + MAX_WRITTEN + " bytes is not supported.");
      }
      super.write(bytes, start, length);
    }
  }
}
