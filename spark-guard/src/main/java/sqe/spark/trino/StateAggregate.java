package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/** An aggregate of Trino's whose state is an object: a digest, a histogram, a sum of hashes. */
public final class StateAggregate extends TypedImperativeAggregate<StateAggregate.State> implements java.io.Serializable {
  private final Kind kind;
  private final List<Expression> arguments;
  private final int mutableOffset;
  private final int inputOffset;

  StateAggregate(Kind kind, List<Expression> arguments) {
    this(kind, arguments, 0, 0);
  }

  private StateAggregate(Kind kind, List<Expression> arguments, int mutableOffset, int inputOffset) {
    this.kind = kind;
    this.arguments = List.copyOf(arguments);
    this.mutableOffset = mutableOffset;
    this.inputOffset = inputOffset;
  }

  /** What an aggregate makes of the values of its rows. Two of the same kind are equal. */
  interface Kind extends java.io.Serializable {
    /** Trino's name of the function. */
    String function();

    DataType type();

    /** Trino's type of the result, where Spark's does not say it; null otherwise. */
    default String typed() {
      return null;
    }

    /** Whether rows with a NULL among the arguments count. */
    default boolean nulls() {
      return false;
    }

    /** Adds a row's values to a state, which is null before the first row, and returns the state. */
    Object add(Object state, Object[] values);

    Object merge(Object state, Object other);

    byte[] write(Object state);

    Object read(byte[] bytes);

    /** The result; {@code state} is null when there was no row. */
    Object result(Object state);
  }

  /** Holds the state; Spark needs an object from the beginning. */
  public static final class State {
    private Object value;
  }

  Kind kind() {
    return kind;
  }

  @Override
  public State createAggregationBuffer() {
    return new State();
  }

  @Override
  public State update(State state, InternalRow row) {
    Object[] values = new Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments.get(i).eval(row);
      if (values[i] == null && !kind.nulls()) {
        return state;
      }
    }
    state.value = failing(() -> kind.add(state.value, values));
    return state;
  }

  @Override
  public State merge(State state, State other) {
    if (other.value != null) {
      state.value = state.value == null ? other.value : failing(() -> kind.merge(state.value, other.value));
    }
    return state;
  }

  @Override
  public Object eval(State state) {
    return failing(() -> kind.result(state.value));
  }

  /** Bytes that are no digest, and values that one does not take, are an error of the user's. */
  private static <T> T failing(java.util.function.Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException error) {
      throw TrinoFailure.argument(error.getMessage());
    }
  }

  @Override
  public byte[] serialize(State state) {
    return state.value == null ? new byte[0] : kind.write(state.value);
  }

  @Override
  public State deserialize(byte[] bytes) {
    State made = new State();
    made.value = bytes.length == 0 ? null : kind.read(bytes);
    return made;
  }

  @Override
  public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return new StateAggregate(kind, arguments, offset, inputOffset);
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return new StateAggregate(kind, arguments, mutableOffset, offset);
  }

  @Override
  public int mutableAggBufferOffset() {
    return mutableOffset;
  }

  @Override
  public int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public DataType dataType() {
    return kind.type();
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(arguments);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new StateAggregate(kind, new ArrayList<>(CollectionConverters.asJava(children)), mutableOffset, inputOffset);
  }

  @Override
  public String prettyName() {
    return kind.function();
  }

  @Override
  public int productArity() {
    return 4;
  }

  @Override
  public Object productElement(int at) {
    return switch (at) {
      case 0 -> kind;
      case 1 -> Plans.seq(arguments);
      case 2 -> mutableOffset;
      default -> inputOffset;
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof StateAggregate;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StateAggregate same
        && kind.equals(same.kind)
        && arguments.equals(same.arguments)
        && mutableOffset == same.mutableOffset
        && inputOffset == same.inputOffset;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, arguments, mutableOffset, inputOffset);
  }
}
