package sqe.spark;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The first lines of the parent on standard input: lines of {@code key=value}, and an empty one at the end. */
record Introduction(Map<String, String> lines) {
  private static final int MOST_BYTES = 1 << 18;

  static Introduction read(InputStream input) throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    int left = MOST_BYTES;
    for (String line = line(input, left); !line.isEmpty(); line = line(input, left)) {
      left -= line.length() + 1;
      int equals = line.indexOf('=');
      if (equals < 1) {
        throw new IOException("standard input does not begin with lines of key=value"); // the line may be secret
      }
      lines.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return new Introduction(Map.copyOf(lines));
  }

  private static String line(InputStream input, int most) throws IOException {
    // Byte by byte: what follows is not ours.
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("standard input ended before the engine was introduced");
      }
      if (line.size() >= most) {
        throw new IOException("the introduction on standard input is too long");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.US_ASCII);
  }

  /** Whether several people share the engine, or rules are made for them. One that is not told is shared. */
  boolean locked() {
    return guarded() || Boolean.parseBoolean(lines.getOrDefault("locked", "true"));
  }

  /** Whether the gateway decides who may see what. */
  boolean guarded() {
    return Boolean.parseBoolean(lines.getOrDefault("guarded", "false"));
  }

  /** How long a decision may take at the gateway; null if it does not say. */
  Duration policyTimeout() {
    String millis = lines.get("guard.timeout");
    return millis == null ? null : Duration.ofMillis(Long.parseLong(millis));
  }

  /** What the gateway proves its requests with. */
  Optional<byte[]> requestSecret() {
    return Optional.ofNullable(lines.get("request.secret")).map(secret -> secret.getBytes(StandardCharsets.US_ASCII));
  }

  /** What hash masks are made with. */
  Optional<byte[]> maskKey() {
    return Optional.ofNullable(lines.get("guard.mask_key")).map(Base64.getDecoder()::decode);
  }
}
