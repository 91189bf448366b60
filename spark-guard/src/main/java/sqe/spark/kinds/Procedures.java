package sqe.spark.kinds;

import java.util.Iterator;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import sqe.spark.isolation.WorkLimits;

/**
 * Iceberg's procedures. They run while the statement is analysed, and are programs on Spark themselves: they read data files
 * and put functions of their own into plans, which no statement may. So the plans that one makes while it runs are its own.
 */
public final class Procedures {
  /** The gate where the catalog alone decides. */
  public static final Gate OPEN = (procedure, arguments) -> {};

  private static final KindList LIST = new KindList("procedures.txt");

  private Procedures() {}

  /** The verdict on a procedure, with the operation that a decision is asked for. */
  public static Verdict of(String name) {
    return LIST.of(name.toLowerCase(Locale.ROOT));
  }

  static void check(String name) {
    Verdict verdict = of(name);
    if (verdict.refuses()) {
      throw new NotAllowed("The procedure " + name, KindList.reason(verdict.detail()));
    }
  }

  /** Whether a procedure that was allowed runs now, and asks from this thread. */
  public static boolean running() {
    return Enforcement.isExempt(Enforcement.Exemption.PROCEDURE);
  }

  /** Does what Iceberg does with plans of its own. */
  public static <T> T run(Supplier<T> work) {
    return Enforcement.exempt(Enforcement.Exemption.PROCEDURE, work);
  }

  /** Decides whether a principal may call a procedure with these arguments; throws if not. */
  @FunctionalInterface
  public interface Gate {
    void decide(BoundProcedure procedure, InternalRow arguments);
  }

  /** The procedure, as one that is known to run, for whom the gate lets through. */
  public static UnboundProcedure known(UnboundProcedure procedure, Gate gate) {
    return new Known(procedure, gate);
  }

  private record Known(UnboundProcedure procedure, Gate gate) implements UnboundProcedure {
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
      return new KnownBound(procedure.bind(types), gate);
    }
  }

  private record KnownBound(BoundProcedure procedure, Gate gate) implements BoundProcedure {
    @Override
    public String name() {
      return procedure.name();
    }

    @Override
    public String description() {
      return procedure.description();
    }

    @Override
    public ProcedureParameter[] parameters() {
      return procedure.parameters();
    }

    @Override
    public boolean isDeterministic() {
      return procedure.isDeterministic();
    }

    @Override
    public Iterator<Scan> call(InternalRow input) {
      if (KindRules.isOn()) {
        check(name());
      }
      limit(input);
      gate.decide(procedure, input);
      return run(() -> procedure.call(input));
    }

    private static String text(ArrayData values, int index) {
      return values.getUTF8String(index).toString();
    }

    /** Bounds how many threads, files and commits the caller asks for. */
    private void limit(InternalRow input) {
      ProcedureParameter[] parameters = parameters();
      for (int i = 0; i < Math.min(parameters.length, input.numFields()); i++) {
        if (input.isNullAt(i)) {
          continue;
        }
        DataType type = parameters[i].dataType();
        if (type instanceof IntegerType || type instanceof LongType) {
          WorkLimits.check(parameters[i].name(), String.valueOf(input.get(i, type)));
        } else if (type instanceof MapType map && map.keyType() instanceof StringType && map.valueType() instanceof StringType) {
          MapData options = input.getMap(i);
          for (int j = 0; j < options.numElements(); j++) {
            if (!options.valueArray().isNullAt(j)) {
              WorkLimits.check(text(options.keyArray(), j), text(options.valueArray(), j));
            }
          }
        }
      }
    }
  }
}
