package sqe.spark.identity;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The address of the gateway's control endpoint, and the secret that shows that this engine asks.
 *
 * <p>It travels as lines of {@code key=value}: from the gateway to the driver through a pipe, from the driver to executors
 * as a message of Spark's own. It is never in a setting, in the environment or on a command line.
 *
 * @param key the engine's own private key as PEM (PKCS #8), or null when the endpoint is on this machine
 * @param certificate the certificate that belongs to it, as PEM
 * @param authority who has to have signed the endpoint's certificate, as PEM
 */
public record Link(String url, String secret, String key, String certificate, String authority) {
  private static final String PREFIX = "control.";

  /** What {@code said} tells of the control endpoint; null when it tells nothing. */
  public static Link of(Map<String, String> said) {
    String url = said.get(PREFIX + "url");
    return url == null
        ? null
        : new Link(
            url,
            said.get(PREFIX + "secret"),
            pem(said.get(PREFIX + "key")),
            pem(said.get(PREFIX + "certificate")),
            pem(said.get(PREFIX + "authority")));
  }

  public Link {
    if (secret == null || secret.isEmpty()) {
      throw new IllegalArgumentException("the control endpoint has no secret");
    }
    if ((key == null) != (certificate == null) || (key == null) != (authority == null)) {
      throw new IllegalArgumentException("a key, its certificate and an authority belong together");
    }
  }

  /** The lines of a message, which {@link #parse} reads. */
  String text() {
    Map<String, String> said = new LinkedHashMap<>();
    said.put("url", url);
    said.put("secret", secret);
    if (key != null) {
      said.put("key", oneLine(key));
      said.put("certificate", oneLine(certificate));
      said.put("authority", oneLine(authority));
    }
    StringBuilder text = new StringBuilder();
    said.forEach((name, value) -> text.append(PREFIX).append(name).append('=').append(value).append('\n'));
    return text.toString();
  }

  static Link parse(String text) {
    Map<String, String> said = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        said.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return of(said);
  }

  private static String pem(String encoded) {
    return encoded == null ? null : new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
  }

  private static String oneLine(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return "Link[" + url + "]"; // the rest is secret
  }
}
