package sqe.spark.guard;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.connector.catalog.View;
import org.apache.spark.sql.types.StructType;

/** A view that a person may read. Properties that tell where it lies are for those who may alter it. */
final class GuardedView implements View {
  /** Spark's version that wrote it, as DESCRIBE EXTENDED shows it. */
  private static final Set<String> VERSIONS =
      Set.of("create_engine_version", "engine_version", "create-engine-version", "engine-version");

  private final View view;
  private final BooleanSupplier mayAlter;
  private Map<String, String> shown;

  /**
   * @param mayAlter is asked at most once, when the properties are first used
   */
  GuardedView(View view, BooleanSupplier mayAlter) {
    this.view = view;
    this.mayAlter = mayAlter;
  }

  @Override
  public synchronized Map<String, String> properties() {
    if (shown == null) {
      Map<String, String> properties = new HashMap<>(view.properties());
      boolean all = mayAlter.getAsBoolean();
      properties
          .keySet()
          .removeIf(
              key ->
                  key.startsWith(GuardedTable.OWN)
                      || !all && !GuardedTable.HARMLESS.contains(key) && !VERSIONS.contains(key));
      shown = Map.copyOf(properties);
    }
    return shown;
  }

  @Override
  public String name() {
    return view.name();
  }

  @Override
  public String query() {
    return view.query();
  }

  @Override
  public String currentCatalog() {
    return view.currentCatalog();
  }

  @Override
  public String[] currentNamespace() {
    return view.currentNamespace();
  }

  @Override
  public StructType schema() {
    return view.schema();
  }

  @Override
  public String[] queryColumnNames() {
    return view.queryColumnNames();
  }

  @Override
  public String[] columnAliases() {
    return view.columnAliases();
  }

  @Override
  public String[] columnComments() {
    return view.columnComments();
  }
}
