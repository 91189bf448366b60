package sqe.spark.identity;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.rest.HTTPClient;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTUtil;

/** Iceberg's HTTP client, whose error tells which catalog it is that does not answer. */
final class NamedClient implements InvocationHandler {
  private final String catalog;
  private final RESTClient client;

  private NamedClient(String catalog, RESTClient client) {
    this.catalog = catalog;
    this.client = client;
  }

  static RESTClient open(Map<String, String> properties) {
    HTTPClient client =
        HTTPClient.builder(properties)
            .uri(properties.get(CatalogProperties.URI))
            .withHeaders(RESTUtil.configHeaders(properties))
            .build();
    return named(properties.get(SqeAuthManager.CATALOG), client);
  }

  private static RESTClient named(String catalog, RESTClient client) {
    return (RESTClient)
        Proxy.newProxyInstance(
            NamedClient.class.getClassLoader(), new Class<?>[] {RESTClient.class}, new NamedClient(catalog, client));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    try {
      Object answer = method.invoke(client, arguments);
      return answer instanceof RESTClient other ? named(catalog, other) : answer;
    } catch (InvocationTargetException thrown) {
      Throwable failure = thrown.getCause();
      // Exactly this class: its children are the server's answers.
      throw failure.getClass() == RESTException.class && failure.getCause() instanceof IOException silence
          ? new CatalogSilentException(catalog, silence)
          : failure;
    }
  }
}
