package sqe.spark.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.spark.sql.classic.SparkSession;
import sqe.spark.identity.Control;

/**
 * The files of a statement as DuckDB names them, and the object stores that they are in.
 *
 * <p>A plan says where a store is, and nothing that opens it. Keys that a catalog has vended go to the gateway over the control
 * endpoint, and the plan holds the gateway's reference to them; the gateway has the keys of a user's own token already.
 */
final class Stores {
  private static final Pattern S3 = Pattern.compile("s3[an]?://.*", Pattern.DOTALL);
  // Iceberg drops what follows a question mark or a hash; an empty part or one of dots may be resolved on the way.
  private static final Pattern OBJECT = Pattern.compile("s3://[^/?#\\p{Cntrl}]+(/(?!\\.{1,2}(/|$))[^/?#\\p{Cntrl}]+)+");

  private final Map<String, S3Store> stores = new LinkedHashMap<>(); // by their scopes

  boolean isEmpty() {
    return stores.isEmpty();
  }

  /** A file of a table, as DuckDB opens it, which Iceberg would open with {@code io}. */
  String path(Table table, FileIO io, String location) {
    if (!S3.matcher(location).matches()) {
      return FilePaths.local(location, io);
    }
    String url = url(location);
    if (!OBJECT.matcher(url).matches()) {
      throw new NotRendered("path with special characters");
    }
    for (S3Store known : stores.values()) {
      if (known.files() == io && url.startsWith(known.scope())) {
        return url;
      }
    }
    S3Store store = S3Store.of(table, io, location, url);
    S3Store other = stores.putIfAbsent(store.scope(), store);
    if (other != null && !other.sameAs(store)) {
      throw new NotRendered("tables of two catalogs in one place");
    }
    return url;
  }

  /** Writes where the stores are, and hands vended keys to the gateway. */
  void write(SparkSession session, ObjectNode answer) {
    List<Map<String, Object>> vended = new ArrayList<>();
    ArrayNode written = answer.putArray("stores");
    for (S3Store store : stores.values()) {
      written
          .addObject()
          .put("scope", store.scope())
          .put("endpoint", store.endpoint())
          .put("region", store.region())
          .put("path_style", store.pathStyle())
          .put("use_tls", store.tls())
          .put("catalog", store.catalog());
      if (store.vended()) {
        vended.add(store.keys());
      }
    }
    if (!vended.isEmpty()) {
      answer.put("keys", Control.handOver(session, vended));
    }
  }

  /** The one spelling of S3's schemes that DuckDB's settings are for. */
  static String url(String location) {
    return "s3://" + location.substring(location.indexOf("://") + "://".length());
  }
}
