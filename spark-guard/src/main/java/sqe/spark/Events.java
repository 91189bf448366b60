package sqe.spark;

/** The lines that the engine writes to its parent, one JSON object each. Written by hand: a JSON library costs start-up time. */
final class Events {
  private Events() {}

  static String ready(int port) {
    return "{\"event\":\"ready\",\"port\":" + port + "}";
  }

  static String failed(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String text = cause.getClass().getName() + (message == null ? "" : ": " + message);
    return "{\"event\":\"failed\",\"error\":" + quote(text) + "}";
  }

  static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        // Escaped, so that the line means the same whatever the encoding of standard output is.
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
