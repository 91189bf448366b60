package sqe.spark.guard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;

/** Compares what was decided about a table at two times. */
public final class TableDecisions {
  private TableDecisions() {}

  /** What is decided about the same operations now. */
  public static Object now(Table table) {
    if (!(table instanceof Guarded guarded)) {
      return of(table);
    }
    List<String> operations = List.copyOf(guarded.loaded().decisions().keySet());
    List<Decision> decided =
        Decisions.ask(
                guarded.loaded().guard().session(),
                operations.stream().map(each -> new Question(each, guarded.resource())).toList())
            .decisions();
    Map<String, Decision> decisions = new HashMap<>();
    for (int each = 0; each < operations.size(); each++) {
      decisions.put(operations.get(each), decided.get(each));
    }
    return decisions;
  }

  /** What was decided about a table when it was loaded: equal for equal decisions. Throws where the guard is on and none were made. */
  public static Object of(Table table) {
    if (table instanceof Guarded guarded) {
      return guarded.loaded().decisions();
    }
    if (Guard.isOn()) {
      throw GuardRefusal.unguarded(table.name());
    }
    return "no policies";
  }
}
