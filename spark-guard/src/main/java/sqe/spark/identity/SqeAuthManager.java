package sqe.spark.identity;

import java.net.URI;
import java.util.Map;
import org.apache.iceberg.catalog.SessionCatalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.HTTPHeaders;
import org.apache.iceberg.rest.HTTPRequest;
import org.apache.iceberg.rest.ImmutableHTTPRequest;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.auth.AuthManager;
import org.apache.iceberg.rest.auth.AuthSession;

/**
 * Puts the person's own token on each request to an Iceberg REST catalog; {@code rest.auth.type} names it.
 *
 * <p>The token is fetched from the gateway for each request, so that one that was renewed or revoked counts at once. A
 * session knows only what the properties say: Iceberg makes managers on executors too, for vended credentials that have to
 * be renewed, and shares one among all users of a JVM for remote signing.
 */
public final class SqeAuthManager implements AuthManager {
  static final String HANDLE = "sqe.handle";
  static final String CATALOG = "sqe.catalog";

  private Person ofCatalog;

  public SqeAuthManager(String name) {}

  /** Of a catalog that is being opened, which has yet to say what it thinks of its properties. */
  @Override
  public AuthSession initSession(RESTClient client, Map<String, String> properties) {
    ofCatalog = Person.of(properties);
    return ofCatalog;
  }

  @Override
  public AuthSession catalogSession(RESTClient client, Map<String, String> properties) {
    return ofCatalog != null ? ofCatalog : Person.of(properties);
  }

  /** Of remote signing, where the properties are those of the table's files. */
  @Override
  public AuthSession tableSession(RESTClient client, Map<String, String> properties) {
    SignedRequests.forget();
    return Person.of(properties);
  }

  /** A table is not told another identity, whatever the catalog answers with it. */
  @Override
  public AuthSession tableSession(TableIdentifier table, Map<String, String> properties, AuthSession parent) {
    return parent;
  }

  @Override
  public AuthSession contextualSession(SessionCatalog.SessionContext context, AuthSession parent) {
    return parent;
  }

  @Override
  public void close() {}

  private record Person(String handle, String catalog) implements AuthSession {
    static Person of(Map<String, String> properties) {
      return new Person(properties.get(HANDLE), properties.get(CATALOG));
    }

    @Override
    public HTTPRequest authenticate(HTTPRequest request) {
      URI own = Control.uri(handle, catalog);
      URI target = request.requestUri();
      if (!origin(own).equals(origin(target))) {
        throw new AccessRefusedException(
            "The catalog " + catalog + " sent the engine to " + origin(target) + ", which is not to see a token of yours.");
      }
      HTTPHeaders bearer = HTTPHeaders.of(Map.of("Authorization", "Bearer " + Control.token(handle, catalog)));
      return ImmutableHTTPRequest.builder().from(request).headers(bearer.putIfAbsent(request.headers())).build();
    }

    private static String origin(URI uri) {
      String scheme = String.valueOf(uri.getScheme()).toLowerCase();
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
      return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase() + ":" + port;
    }

    @Override
    public void close() {}
  }
}
