package sqe.spark.guard;

import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.kinds.Procedures;

/**
 * A procedure of Iceberg's is asked about when it is called, with the table that it is called for.
 *
 * <p>It reads and writes files of that table in its own ways, which {@link CheckRule} lets pass for as long as it runs: a procedure
 * is allowed only on a table that hides nothing from the person.
 */
public record ProcedureGate(SqeCatalog catalog) implements Procedures.Gate {
  @Override
  public void decide(BoundProcedure procedure, InternalRow arguments) {
    ProcedureParameter[] parameters = procedure.parameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].name().equals("table") && !arguments.isNullAt(i)) {
        String text = arguments.getUTF8String(i).toString();
        var named = Spark3Util.catalogAndIdentifier("table", SparkSession.active(), text, catalog);
        if (named.catalog() instanceof SqeCatalog its && its.guard() instanceof PolicyCatalogGuard guard) {
          try {
            guard.called(procedure.name(), named.identifier(), its.stored(named.identifier()));
            return;
          } catch (NoSuchTableException none) {
            throw GuardRefusal.denied("The procedure " + procedure.name() + " is for tables that there are.");
          }
        }
      }
    }
    throw GuardRefusal.denied("The procedure " + procedure.name() + " cannot be called here: it names no table.");
  }
}
