package sqe.spark.guard;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SparkChangelogTable;

/** The changes of a table. Their rows are of all times and both sides of each change, so there are none of a protected table. */
final class GuardedChanges extends SparkChangelogTable implements Guarded {
  private final CatalogGuard guard;
  private final Question.Resource resource;
  private final Map<String, Decision> decisions;

  GuardedChanges(CatalogGuard guard, Table table, Question.Resource resource, Map<String, Decision> decisions) {
    super(table);
    this.guard = guard;
    this.resource = resource;
    this.decisions = decisions;
  }

  @Override
  public Question.Resource resource() {
    return resource;
  }

  @Override
  public String session() {
    return guard.session().sessionUUID();
  }

  @Override
  public Decision decision(String operation) {
    return decisions.get(operation);
  }

  @Override
  public Decision ask(String operation) {
    return Decisions.ask(guard.session(), List.of(new Question(operation, resource))).decisions().get(0);
  }
}
