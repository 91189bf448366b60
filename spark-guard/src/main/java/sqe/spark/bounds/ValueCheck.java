package sqe.spark.bounds;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;

/** A check of {@link CheckedValue}. Two of the same kind are equal. */
public sealed interface ValueCheck extends Serializable {
  default void before() {}

  /** Called with a value that is not NULL. */
  void at(Object value);

  default void after() {}

  /** The result of a function that makes a few bytes of each byte. */
  record Size(String function) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (value instanceof UTF8String || value instanceof byte[]) {
        Allocation.bytes(function, Allocation.sizeOf(value));
      }
    }
  }

  /** A number that says how much a function is to make. */
  record AtMost(String function, String argument, long limit) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (value instanceof Number number && Math.abs(number.doubleValue()) > limit) {
        throw BoundRefusal.tooLarge(
            String.format(Locale.ROOT, "%s of %s is %s; at most %,d is allowed.", argument, function, number, limit));
      }
    }
  }

  /** A number that says how exact an approximation is to be. */
  record AtLeast(String function, String argument, double limit) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (value instanceof Number number && number.doubleValue() < limit) {
        throw BoundRefusal.tooLarge(argument + " of " + function + " is " + number + "; at least " + limit + " is allowed.");
      }
    }
  }

  /** Text that Spark makes a regular expression of, where nothing can end that. */
  record Plain(String function, String argument) implements ValueCheck {
    private static final String SPECIAL = "*+?{(\\";

    @Override
    public void at(Object value) {
      if (value.toString().chars().anyMatch(each -> SPECIAL.indexOf(each) >= 0)) {
        throw BoundRefusal.tooExpensive(
            argument + " of " + function + " is a regular expression with one of the characters " + SPECIAL + ". Write it without.");
      }
    }
  }

  /** The body of a lambda function: it runs once for each element. */
  record Body() implements ValueCheck {
    @Override
    public void before() {
      Interrupts.check();
    }

    @Override
    public void at(Object value) {
      Collected.add(value);
    }
  }

  /** A function that puts together what a lambda function makes of each element. */
  record Collects(String function) implements ValueCheck {
    @Override
    public void before() {
      Collected.begin(function);
    }

    @Override
    public void at(Object value) {}

    @Override
    public void after() {
      Collected.end();
    }
  }
}
