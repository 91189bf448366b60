package sqe.spark.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/** Sends requests to the control endpoint over HTTP. The JDK keeps connections and uses them again. */
final class ControlCall {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CONNECT_MILLIS = 5_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30); // an identity provider or an STS may have to be asked
  private static final int MOST_BYTES = 1 << 20;

  private final Link link;
  private final SSLSocketFactory sockets;

  ControlCall(Link link) {
    this.link = link;
    this.sockets = link.key() == null ? null : PemTls.sockets(link);
  }

  /**
   * The answer's fields.
   *
   * @throws LoginEndedException if the login has ended
   * @throws AccessRefusedException if another service refused
   * @throws ProviderSilentException if the gateway got no answer itself
   * @throws ControlException for everything else
   */
  JsonNode post(String path, Map<String, ?> question) {
    return post(path, question, PATIENCE);
  }

  /** The same with another limit of how long the gateway may take. */
  JsonNode post(String path, Map<String, ?> question, Duration patience) {
    int status;
    byte[] body;
    try {
      HttpURLConnection connection = open(path, patience);
      try (var output = connection.getOutputStream()) {
        output.write(JSON.writeValueAsBytes(question));
      }
      status = connection.getResponseCode();
      body = read(status < 400 ? connection.getInputStream() : connection.getErrorStream());
    } catch (IOException failure) {
      throw new ControlException("The gateway does not answer the engine.", failure);
    }
    JsonNode answer = parse(body);
    if (status == 200 && answer != null) {
      return answer;
    }
    String said = answer == null ? null : answer.path(Protocol.ErrorResponse.ERROR).asText(null);
    String message = said == null ? "The gateway answered the engine with status " + status + "." : said;
    throw switch (status) {
      case 401 -> new LoginEndedException(message);
      case 403 -> new AccessRefusedException(message);
      case 503 -> new ProviderSilentException(message);
      default -> new ControlException(message);
    };
  }

  private HttpURLConnection open(String path, Duration patience) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(link.url() + path).toURL().openConnection(Proxy.NO_PROXY);
    if (sockets != null) {
      ((HttpsURLConnection) connection).setSSLSocketFactory(sockets);
    }
    connection.setRequestMethod("POST");
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout((int) patience.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("Authorization", "Bearer " + link.secret());
    return connection;
  }

  private static byte[] read(InputStream stream) throws IOException {
    if (stream == null) {
      return new byte[0];
    }
    try (stream) {
      byte[] body = stream.readNBytes(MOST_BYTES + 1);
      if (body.length > MOST_BYTES) {
        throw new IOException("the answer is too long");
      }
      return body;
    }
  }

  private static JsonNode parse(byte[] body) {
    try {
      JsonNode answer = JSON.readTree(new String(body, StandardCharsets.UTF_8));
      return answer != null && answer.isObject() ? answer : null;
    } catch (JsonProcessingException notJson) {
      return null; // and its text is of no use
    }
  }
}
