package sqe.spark.guard;

import java.util.Iterator;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;
import sqe.spark.SqeCatalog;

/**
 * A procedure of Iceberg's that is asked about when it is called, with the table that it is called for.
 *
 * <p>It reads and writes files of that table in its own ways, which {@link CheckRule} lets pass for as long as it runs: a procedure
 * is allowed only on a table that hides nothing from the person.
 */
public final class GuardedProcedure implements UnboundProcedure {
  private final SqeCatalog catalog;
  private final UnboundProcedure procedure;

  public GuardedProcedure(SqeCatalog catalog, UnboundProcedure procedure) {
    this.catalog = catalog;
    this.procedure = procedure;
  }

  @Override
  public String name() {
    return procedure.name();
  }

  @Override
  public String description() {
    return procedure.description();
  }

  @Override
  public BoundProcedure bind(StructType types) {
    return new Bound(procedure.bind(types));
  }

  private final class Bound implements BoundProcedure {
    private final BoundProcedure bound;

    Bound(BoundProcedure bound) {
      this.bound = bound;
    }

    @Override
    public String name() {
      return bound.name();
    }

    @Override
    public String description() {
      return bound.description();
    }

    @Override
    public ProcedureParameter[] parameters() {
      return bound.parameters();
    }

    @Override
    public boolean isDeterministic() {
      return bound.isDeterministic();
    }

    @Override
    public Iterator<Scan> call(InternalRow arguments) {
      decide(arguments);
      return bound.call(arguments);
    }

    private void decide(InternalRow arguments) {
      ProcedureParameter[] parameters = bound.parameters();
      for (int i = 0; i < parameters.length; i++) {
        if (parameters[i].name().equals("table") && !arguments.isNullAt(i)) {
          String text = arguments.getUTF8String(i).toString();
          var named = Spark3Util.catalogAndIdentifier("table", SparkSession.active(), text, catalog);
          if (named.catalog() instanceof SqeCatalog its && its.guard() != null) {
            try {
              its.guard().called(bound.name(), named.identifier(), its.stored(named.identifier()));
              return;
            } catch (NoSuchTableException none) {
              throw GuardRefusal.denied("The procedure " + bound.name() + " is for tables that there are.");
            }
          }
        }
      }
      throw GuardRefusal.denied("The procedure " + bound.name() + " cannot be called here: it names no table.");
    }
  }
}
