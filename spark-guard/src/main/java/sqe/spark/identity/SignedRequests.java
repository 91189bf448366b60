package sqe.spark.identity;

import java.lang.reflect.Field;
import java.time.Duration;
import org.apache.iceberg.aws.s3.signer.S3V4RestSignerClient;
import org.apache.iceberg.shaded.com.github.benmanes.caffeine.cache.Cache;

/**
 * Keeps Iceberg from using a signature again that the catalog made for another user.
 *
 * <p>Its client of remote signing has one cache of signed requests for the whole JVM, by method, region and address, and so
 * without the person. Everything in it is out of date at once when it may be kept for no time.
 */
final class SignedRequests {
  private static final String CACHE = "SIGNED_COMPONENT_CACHE";

  private static volatile boolean forgotten;

  private SignedRequests() {}

  /** Has to be called before the first signature comes back: Iceberg asks for an {@code AuthSession} before that. */
  static void forget() {
    if (!forgotten) {
      try {
        Field field = S3V4RestSignerClient.class.getDeclaredField(CACHE);
        field.setAccessible(true);
        ((Cache<?, ?>) field.get(null)).policy().expireAfterWrite().orElseThrow().setExpiresAfter(Duration.ZERO);
        forgotten = true;
      } catch (ReflectiveOperationException | RuntimeException changed) {
        throw new IllegalStateException("this version of Iceberg cannot sign for several people in one JVM", changed);
      }
    }
  }
}
