package sqe.spark.kinds;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Keeps the exemptions of each thread from the rules of the guard and of the kinds. By default a thread has none: every rule holds.
 *
 * <p>An exemption holds for the thread that was given it, while the work that it was given for runs, and ends with that. Only that
 * of a procedure passes to threads that the work starts; there it ends at the same moment.
 */
public final class Enforcement {
  /** A reason why rules do not hold. */
  public enum Exemption {
    /** Policy text is analysed. The tables that it looks something up in are not the reader's business, and are loaded as they are. */
    POLICY_TEXT,

    /** A part of a statement is analysed in order to look at it. The result must not run, and gets no row filters and masks. */
    INSPECTION,

    /** A procedure of Iceberg's runs, which was decided about. The plans that it makes are its own. */
    PROCEDURE
  }

  /** One exemption, within those that the thread had before. */
  private record Scope(Exemption exemption, AtomicBoolean open, Scope outer) {}

  private static final ThreadLocal<Scope> CURRENT =
      new InheritableThreadLocal<>() {
        @Override
        protected Scope childValue(Scope parent) {
          // Procedures work in threads that they start. Threads that they cause to start remain, so that the scope is ended, too.
          Scope procedure = find(parent, Exemption.PROCEDURE);
          return procedure == null ? null : new Scope(Exemption.PROCEDURE, procedure.open(), null);
        }
      };

  private Enforcement() {}

  /** Do the work with the exemption. */
  public static <T> T exempt(Exemption exemption, Supplier<T> work) {
    Scope before = CURRENT.get();
    AtomicBoolean open = new AtomicBoolean(true);
    CURRENT.set(new Scope(exemption, open, before));
    try {
      return work.get();
    } finally {
      open.set(false);
      CURRENT.set(before);
    }
  }

  /** Whether this thread has the exemption now. */
  public static boolean isExempt(Exemption exemption) {
    Scope found = find(CURRENT.get(), exemption);
    return found != null && found.open().get();
  }

  private static Scope find(Scope innermost, Exemption exemption) {
    Scope scope = innermost;
    while (scope != null && scope.exemption() != exemption) {
      scope = scope.outer();
    }
    return scope;
  }
}
