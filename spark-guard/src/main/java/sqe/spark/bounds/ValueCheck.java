package sqe.spark.bounds;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.sql.catalyst.util.MapData;
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
    public void before() {
      Interrupts.begin();
    }

    @Override
    public void at(Object value) {
      if (value instanceof UTF8String || value instanceof byte[]) {
        Allocation.bytes(function, Allocation.sizeOf(value));
      }
    }

    @Override
    public void after() {
      Interrupts.end();
    }
  }

  /** One call of a function that goes through its operands once, which can be large. */
  record Step() implements ValueCheck {
    @Override
    public void before() {
      Interrupts.begin();
    }

    @Override
    public void at(Object value) {}

    @Override
    public void after() {
      Interrupts.end();
    }
  }

  /** An expression that Spark evaluates many times before it looks for a cancel: a key of a sort, an array that is compared. */
  record Watched() implements ValueCheck {
    @Override
    public void before() {
      Interrupts.checkRow();
    }

    @Override
    public void at(Object value) {}
  }

  /**
   * An operand of a function that goes through all of them: their sum has a bound.
   *
   * @param index makes two operands that are the same expression different: Spark would evaluate them once, and count one
   */
  record Operand(String function, int index, Weight sum, long limit) implements ValueCheck {
    @Override
    public void before() {
      Interrupts.begin();
      if (index == 0) {
        sum.clear();
      }
    }

    @Override
    public void at(Object value) {
      long bytes = sum.add(value);
      if (bytes > limit) {
        throw BoundRefusal.tooLarge(
            String.format(
                Locale.ROOT, "%s would read values of %,d bytes together; at most %,d are allowed.", function, bytes, limit));
      }
    }
  }

  /** Text that says how to read or write others: a format, a path. */
  record Brief(String function, String argument, int limit) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (value instanceof UTF8String text && text.numBytes() > limit) {
        throw BoundRefusal.tooLarge(
            String.format(
                Locale.ROOT, "%s of %s has %,d bytes; at most %,d are allowed.", argument, function, text.numBytes(), limit));
      }
    }
  }

  /** Text of XML: each tag can be an element of an array. */
  record Tags(String function, int limit) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (!(value instanceof UTF8String text)) {
        return;
      }
      long tags = 0;
      for (byte each : text.getBytes()) {
        tags += each == '<' ? 1 : 0;
      }
      if (tags > limit) {
        throw BoundRefusal.tooLarge(
            String.format(Locale.ROOT, "The text of %s has %,d tags; at most %,d are allowed.", function, tags, limit));
      }
    }
  }

  /** A map whose keys are compared each with each. */
  record Keys(String function, int limit) implements ValueCheck {
    @Override
    public void at(Object value) {
      if (value instanceof MapData map && map.numElements() > limit) {
        throw BoundRefusal.tooExpensive(
            String.format(
                Locale.ROOT,
                "%s compares each of %,d keys with each; at most %,d of this type are allowed.",
                function, map.numElements(), limit));
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
      Interrupts.begin();
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
