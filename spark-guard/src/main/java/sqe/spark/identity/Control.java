package sqe.spark.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.classic.SparkSession;

/**
 * Asks the gateway, on behalf of a session, for the properties of its catalogs, for the user's token and keys, and for decisions.
 *
 * <p>Nothing here can be called with SQL's {@code java_method}, which reaches public static methods that take numbers and
 * text: code that could make handles could act as any user.
 */
public final class Control {
  private static final Duration TOKEN_CACHE = Duration.ofMillis(200);
  private static final Duration KEYS_CACHE = Duration.ofSeconds(1);
  private static final Duration FOR_EVER = Duration.ofDays(365);

  private static volatile ControlCall call;
  private static volatile Link link;
  private static final Recent<Map<String, String>> PROPERTIES = new Recent<>();
  private static final Recent<String> TOKENS = new Recent<>();
  private static final Recent<Keys> KEYS = new Recent<>();

  /** Keys of a store, made for one person. */
  record Keys(String id, String secret, String sessionToken) {
    @Override
    public String toString() {
      return "Keys[" + id + "]";
    }
  }

  private Control() {}

  /** Tells this JVM where the gateway is. */
  public static synchronized void configure(Link gateway) {
    call = new ControlCall(gateway);
    link = gateway;
  }

  static Link link() {
    return link;
  }

  /** The name of a session in questions to the gateway, with the proof that this engine made it. */
  static String handle(String session) {
    connected();
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(link.secret().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return session + "." + HexFormat.of().formatHex(mac.doFinal(session.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** All of Iceberg's properties for a catalog of the session; they do not change while it lives. */
  static Map<String, String> properties(String handle, String catalog) {
    return ask(PROPERTIES, Protocol.CATALOG, handle, catalog, answer -> {
      Map<String, String> properties = new LinkedHashMap<>();
      answer.path(Protocol.CatalogResponse.PROPERTIES).properties().forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
      return timed(Map.copyOf(properties), FOR_EVER, FOR_EVER);
    });
  }

  /** Return the catalog's address from the gateway's configuration; nothing else decides where a token goes. */
  static URI uri(String handle, String catalog) {
    String uri = properties(handle, catalog).get("uri");
    if (uri == null) {
      throw new ControlException("The catalog " + catalog + " has no address.");
    }
    return URI.create(uri);
  }

  /** The person's own token for the catalog, as it is now. */
  static String token(String handle, String catalog) {
    return ask(TOKENS, Protocol.TOKEN, handle, catalog, answer ->
        timed(text(answer, Protocol.TokenResponse.TOKEN), TOKEN_CACHE, TOKEN_CACHE));
  }

  /**
   * The person's own keys for the store, as they are now: the gateway has the next ones well before these end, and a request
   * may be under way for a while after it was signed.
   */
  static Keys keys(String handle, String catalog) {
    return ask(KEYS, Protocol.CREDENTIALS, handle, catalog, answer -> {
      Keys keys =
          new Keys(
              text(answer, Protocol.CredentialsResponse.ACCESS_KEY_ID),
              text(answer, Protocol.CredentialsResponse.SECRET_ACCESS_KEY),
              text(answer, Protocol.CredentialsResponse.SESSION_TOKEN));
      double seconds = answer.path(Protocol.CredentialsResponse.EXPIRES_IN).asDouble(0);
      Duration life = Duration.ofMillis((long) (seconds * 1000));
      Duration most = life.multipliedBy(2).dividedBy(3);
      return timed(keys, most.compareTo(KEYS_CACHE) < 0 ? most : KEYS_CACHE, life);
    });
  }

  /**
   * What the gateway decides about the questions in {@code body}, for the person whose session it is.
   *
   * @throws RuntimeException as {@link ControlCall#post}; none of them is a permission
   */
  public static JsonNode decide(SparkSession session, Map<String, Object> body, Duration patience) {
    Map<String, Object> question = new LinkedHashMap<>(body);
    question.put(Protocol.DecideRequest.HANDLE, handle(session.sessionUUID()));
    return connected().post(Protocol.DECIDE, question, patience);
  }

  /**
   * Hands keys that catalogs have vended to the gateway, for the local executor, and returns the gateway's reference to them.
   *
   * @param keys the fields of {@link Protocol.KeyFields}, one map for each store
   * @throws RuntimeException as {@link ControlCall#post}
   */
  public static String handOver(SparkSession session, List<Map<String, Object>> keys) {
    Map<String, Object> request =
        Map.of(Protocol.KeysRequest.HANDLE, handle(session.sessionUUID()), Protocol.KeysRequest.STORES, keys);
    return text(connected().post(Protocol.STORE_KEYS, request), Protocol.KeysResponse.REFERENCE);
  }

  /** The session is over: nothing of it is kept. */
  static void forget(String handle) {
    for (Recent<?> recent : List.of(PROPERTIES, TOKENS, KEYS)) {
      recent.forget(handle + ' ');
    }
  }

  private static <V> V ask(
      Recent<V> recent, String path, String handle, String catalog, Function<JsonNode, Recent.Timed<V>> read) {
    if (handle == null || catalog == null) {
      throw new ControlException("This catalog does not belong to a session of the gateway.");
    }
    ControlCall gateway = connected();
    return recent.get(
        handle + ' ' + catalog,
        () ->
            read.apply(
                gateway.post(
                    path, Map.of(Protocol.CatalogRequest.HANDLE, handle, Protocol.CatalogRequest.CATALOG, catalog))));
  }

  private static ControlCall connected() {
    ControlCall gateway = call;
    if (gateway == null) {
      throw new ControlException("This engine was not told how to ask the gateway.");
    }
    return gateway;
  }

  private static String text(JsonNode answer, String field) {
    String text = answer.path(field).asText("");
    if (text.isEmpty()) {
      throw new ControlException("The gateway's answer to the engine has no " + field + ".");
    }
    return text;
  }

  private static <V> Recent.Timed<V> timed(V value, Duration fresh, Duration life) {
    long now = System.nanoTime();
    return new Recent.Timed<>(value, now + fresh.toNanos(), now + life.toNanos());
  }
}
