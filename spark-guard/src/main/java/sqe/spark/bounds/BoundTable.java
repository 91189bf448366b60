package sqe.spark.bounds;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.*;

/** The expressions of Spark's that are evaluated within bounds, by their classes. */
final class BoundTable {
  private static final Map<Class<?>, Function<Expression, Bound>> BOUNDS = new HashMap<>();

  private BoundTable() {}

  private static <E extends Expression> void put(Class<E> kind, Function<E, Bound> bound) {
    BOUNDS.put(kind, expression -> bound.apply(kind.cast(expression)));
  }

  /** What Spark evaluates as another expression. */
  private static <E extends Expression> void written(Class<E> kind) {
    put(kind, SearchBounds::written);
  }

  static {
    put(Like.class, PatternBounds::like);
    put(LikeAll.class, each -> PatternBounds.likes(each, each.child(), each.patterns(), false, true));
    put(NotLikeAll.class, each -> PatternBounds.likes(each, each.child(), each.patterns(), true, true));
    put(LikeAny.class, each -> PatternBounds.likes(each, each.child(), each.patterns(), false, false));
    put(NotLikeAny.class, each -> PatternBounds.likes(each, each.child(), each.patterns(), true, false));
    put(RLike.class, PatternBounds::rlike);
    put(StringSplit.class, PatternBounds::split);
    put(RegExpReplace.class, PatternBounds::replace);
    put(RegExpExtract.class, PatternBounds::extract);
    put(RegExpExtractAll.class, PatternBounds::extractAll);
    put(RegExpInStr.class, PatternBounds::position);
    written(ILike.class);
    written(RegExpCount.class);
    written(RegExpSubStr.class);
    written(SplitPart.class);

    put(Contains.class, SearchBounds::contains);
    put(StringReplace.class, SearchBounds::replace);
    put(StringTranslate.class, SearchBounds::translate);
    put(FindInSet.class, SearchBounds::findInSet);
    put(Levenshtein.class, SearchBounds::levenshtein);
    put(StringInstr.class, each -> SearchBounds.search(each, 0, 1));
    put(StringLocate.class, each -> SearchBounds.search(each, 0, 1));
    put(SubstringIndex.class, each -> SearchBounds.search(each, 0, 1));
    put(StringSplitSQL.class, SearchBounds::parts);
    put(StringToMap.class, each -> SearchBounds.search(each, 0, 1));
    put(StringTrim.class, each -> SearchBounds.search(each, 0, 1));
    put(StringTrimLeft.class, each -> SearchBounds.search(each, 0, 1));
    put(StringTrimRight.class, each -> SearchBounds.search(each, 0, 1));
    put(SortArray.class, SearchBounds::sort);
    put(ArrayDistinct.class, SearchBounds::sets);
    put(ArrayUnion.class, SearchBounds::sets);
    put(ArrayIntersect.class, SearchBounds::sets);
    put(ArrayExcept.class, SearchBounds::sets);
    put(ArraysOverlap.class, SearchBounds::sets);

    put(StringRepeat.class, GrowthBounds::repeat);
    put(StringSpace.class, GrowthBounds::space);
    put(StringLPad.class, GrowthBounds::pad);
    put(StringRPad.class, GrowthBounds::pad);
    put(Concat.class, GrowthBounds::concat);
    put(Overlay.class, GrowthBounds::overlay);
    put(ConcatWs.class, GrowthBounds::concatWs);
    put(ArrayJoin.class, GrowthBounds::join);
    put(ArrayRepeat.class, GrowthBounds::arrayRepeat);
    put(Flatten.class, GrowthBounds::flatten);
    put(Sequence.class, GrowthBounds::sequence);
    put(FormatString.class, GrowthBounds::format);
  }

  static boolean has(Expression expression) {
    return BOUNDS.containsKey(expression.getClass());
  }

  static Bound of(Expression expression) {
    return BOUNDS.get(expression.getClass()).apply(expression);
  }
}
