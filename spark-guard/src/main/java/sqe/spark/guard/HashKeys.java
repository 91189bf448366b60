package sqe.spark.guard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Says under which key each hash in a policy is made: one for each column of each table, by the table's UUID and the column's field id,
 * or one with a name that an administrator shares among tables.
 *
 * <p>The scope is added here and not by who wrote the policy: the text of a policy cannot name another table's key.
 */
final class HashKeys {
  private HashKeys() {}

  /** All hashes in a mask are made with the key of the column that it masks. */
  static Expression inMask(Expression mask, Question.Resource resource, String column) {
    return scoped(mask, call -> scope(resource, column));
  }

  /** A hash in a row filter is made with the key of the column in its argument. */
  static Expression inFilter(Expression filter, Question.Resource resource) {
    return scoped(filter, call -> scope(resource, columnIn(call)));
  }

  private interface Scope {
    String of(UnresolvedFunction call);
  }

  /** Calls in subqueries are left as they are, and then refused for want of a scope. */
  private static Expression scoped(Expression expression, Scope own) {
    return expression.transformUp(
        Plans.when(
            node -> node instanceof UnresolvedFunction call && (is(call, HashMask.NAME) || is(call, HashMask.SHARED)),
            node -> {
              UnresolvedFunction call = (UnresolvedFunction) node;
              List<Expression> given = CollectionConverters.asJava(call.arguments());
              if (given.size() != (is(call, HashMask.SHARED) ? 2 : 1)) {
                throw new IllegalArgumentException("a hash has a wrong number of arguments");
              }
              String key = is(call, HashMask.SHARED) ? HashMask.shared(name(given.get(1))) : own.of(call);
              Expression scope = new Literal(UTF8String.fromString(key), DataTypes.StringType);
              return new UnresolvedFunction(
                  call.nameParts(),
                  Plans.seq(List.of(given.get(0), scope)),
                  call.isDistinct(),
                  call.filter(),
                  call.ignoreNulls(),
                  call.orderingWithinGroup(),
                  call.isInternal());
            }));
  }

  private static boolean is(UnresolvedFunction call, String name) {
    List<String> parts = CollectionConverters.asJava(call.nameParts());
    return parts.size() == 1 && parts.get(0).toLowerCase(Locale.ROOT).equals(name);
  }

  private static String name(Expression argument) {
    if (argument instanceof Literal text && text.value() instanceof UTF8String name && name.numBytes() > 0) {
      return name.toString();
    }
    throw new IllegalArgumentException("the name of a key is no text");
  }

  private static String scope(Question.Resource resource, String column) {
    for (Question.Column each : resource.columns()) {
      if (each.name().equalsIgnoreCase(column) && each.fieldId() != null && resource.uuid() != null) {
        return HashMask.ofColumn(resource.uuid(), each.fieldId());
      }
    }
    throw new IllegalArgumentException("a hash is of no column that is known by its id");
  }

  private static String columnIn(UnresolvedFunction call) {
    Set<String> names = new LinkedHashSet<>();
    call.foreach(
        part -> {
          if (part instanceof UnresolvedAttribute column) {
            names.add(CollectionConverters.asJava(column.nameParts()).get(0).toLowerCase(Locale.ROOT));
          }
          return BoxedUnit.UNIT;
        });
    if (names.size() != 1) {
      throw new IllegalArgumentException("a hash in a row filter is not of one column");
    }
    return names.iterator().next();
  }
}
