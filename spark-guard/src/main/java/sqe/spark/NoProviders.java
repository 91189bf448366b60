package sqe.spark;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;

/**
 * Hides the session extensions that jars on the class path bring along without being asked.
 *
 * <p>Spark loads every such provider that it finds; {@code spark.sql.extensions} is to name all that is loaded. The only
 * one in Spark's own jars registers functions for machine learning, with Scala's reflection, and takes a quarter of the
 * engine's start.
 */
final class NoProviders extends ClassLoader {
  private static final String PROVIDERS = "META-INF/services/org.apache.spark.sql.SparkSessionExtensionsProvider";

  NoProviders(ClassLoader parent) {
    super(parent);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return PROVIDERS.equals(name) ? Collections.emptyEnumeration() : super.getResources(name);
  }
}
