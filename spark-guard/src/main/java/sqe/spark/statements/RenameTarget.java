package sqe.spark.statements;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.analysis.ResolvedTable;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RenameTable;
import org.apache.spark.sql.catalyst.plans.logical.views.ResolvedV2View;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Gives the new name of {@code ALTER TABLE} and {@code ALTER VIEW .. RENAME TO} one meaning.
 *
 * <p>Spark takes the new name of a table for one below the table's catalog, so that {@code lake.db.x} is in the schema {@code
 * lake.db}; Iceberg looks for the new name of a view from the current schema. Here a name of three parts and more begins with its
 * catalog, which must be that of the table or view; one of two parts names a schema of that catalog; one of one part stays in
 * its schema.
 */
public final class RenameTarget extends Rule<LogicalPlan> {
  /** On what has its meaning already, should Spark analyse it again. */
  private static final TreeNodeTag<Boolean> DONE = new TreeNodeTag<>("sqe.rename");

  private final SparkSession session;

  private RenameTarget(SparkSession session) {
    this.session = session;
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new RenameTarget((SparkSession) session));
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () ->
            plan.transformDown(
                Plans.when(
                    node -> node instanceof RenameTable && node.getTagValue(DONE).isEmpty(),
                    node -> renamed((RenameTable) node))));
  }

  private LogicalPlan renamed(RenameTable rename) {
    List<String> name = List.copyOf(CollectionConverters.asJava(rename.newName()));
    List<String> target;
    if (rename.child() instanceof ResolvedTable table) {
      target = within(table.catalog().name(), name); // Spark keeps the schema of one that has none
    } else if (rename.child() instanceof ResolvedV2View view) {
      target = new ArrayList<>(List.of(view.catalog().name()));
      target.addAll(inSchemaOf(view.identifier(), within(view.catalog().name(), name)));
    } else {
      return rename;
    }
    RenameTable renamed = rename.copy(rename.child(), Plans.seq(target), rename.isView());
    renamed.setTagValue(DONE, true);
    return renamed;
  }

  /** The name without its catalog. */
  private List<String> within(String catalog, List<String> name) {
    if (name.size() < 3) {
      return name;
    }
    if (name.get(0).equals(catalog)) {
      return name.subList(1, name.size());
    }
    if (session.sessionState().catalogManager().isCatalogRegistered(name.get(0))) {
      throw new NotSupported(
          "RENAME to another catalog is not supported. The new name must be in the catalog " + catalog + ".");
    }
    return name;
  }

  private static List<String> inSchemaOf(Identifier view, List<String> name) {
    if (name.size() > 1) {
      return name;
    }
    List<String> qualified = new ArrayList<>(Arrays.asList(view.namespace()));
    qualified.addAll(name);
    return qualified;
  }
}
