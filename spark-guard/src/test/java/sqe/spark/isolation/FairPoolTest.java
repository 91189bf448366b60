package sqe.spark.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which stages get slots, and the statements that they belong to. */
class FairPoolTest {
  private static int stages;

  /** {@code user statement running}, with {@code !} for a stage that has no more tasks to start. */
  private static FairPool.Stage stage(String text) {
    String[] words = text.replace("!", "").split(" ");
    Statement statement = new Statement(words[0], "s", words[1], words[0] + words[1]);
    return new FairPool.Stage(null, statement, Integer.parseInt(words[2]), !text.contains("!"), 0, stages++);
  }

  static Stream<Arguments> orders() {
    return Stream.of(
        Arguments.of("a statement alone has all cores", 4, "ann q 3", "ann q"),
        Arguments.of("and no more than those", 4, "ann q 4", ""),
        Arguments.of("who has nothing comes first", 4, "ann q 3, bob r 0", "bob r, ann q"),
        Arguments.of("also when all cores are in use", 4, "ann q 4, bob r 0", "bob r"),
        Arguments.of("the user with fewer tasks comes first", 8, "ann q 2, bob r 1, cid s 3", "bob r, ann q, cid s"),
        Arguments.of("then the user's statement with fewer", 8, "ann q 2, ann r 1", "ann r, ann q"),
        Arguments.of("then the older stage", 8, "ann q 1, ann q 1", "ann q, ann q"),
        Arguments.of("a stage without tasks to start is left out", 4, "ann q 1!, bob r 1", "bob r"),
        Arguments.of("but its tasks count", 4, "ann q 4!, ann r 0", "ann r"),
        Arguments.of("one user has at most two tasks per core", 2, "ann q 2, ann r 2, ann s 0", ""),
        Arguments.of("and another user is not kept by that", 2, "ann q 2, ann r 2, ann s 0, bob t 0", "bob t"),
        Arguments.of("a full machine gives each its share", 2, "ann q 2, bob r 1, bob s 0", "bob s"),
        Arguments.of("an ended statement takes no share", 2, "ann q 0!, bob r 2", ""),
        Arguments.of("nothing waits", 4, "ann q 2!", ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("orders")
  void stagesAreOrdered(String rule, int cores, String given, String expected) {
    List<FairPool.Stage> stages = Stream.of(given.split(", ")).map(FairPoolTest::stage).toList();
    List<String> order =
        FairPool.order(stages, cores).stream().map(each -> each.statement().user() + " " + each.statement().operation()).toList();
    assertEquals(expected, String.join(", ", order));
  }

  @Test
  void stagesOfOneStatementAreOrderedByPriorityAndAge() {
    Statement statement = new Statement("ann", "s", "q", "tag");
    FairPool.Stage late = new FairPool.Stage(null, statement, 0, true, 1, 1);
    FairPool.Stage young = new FairPool.Stage(null, statement, 0, true, 0, 9);
    FairPool.Stage old = new FairPool.Stage(null, statement, 0, true, 0, 2);
    assertEquals(List.of(old, young, late), FairPool.order(List.of(late, young, old), 4));
  }

  @Test
  void aStatementIsKnownByTheTagOfItsJobs() {
    Properties properties = new Properties();
    properties.setProperty(
        Statement.JOB_TAGS, "other,SparkConnect_OperationTag_User_ann_Session_x_Session_1-2_Operation_3-4");
    Statement statement = Statement.of(properties);
    assertTrue(statement.known());
    // A user's name may look like anything.
    assertEquals("ann_Session_x", statement.user());
    assertEquals("1-2", statement.session());
    assertEquals("3-4", statement.operation());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "tag,other",
        "SparkConnect_OperationTag_User_ann",
        "SparkConnect_OperationTag_User_ann_Session_1",
        "SparkConnect_OperationTag_User_ann_Operation_1"
      })
  void otherTagsNameNoStatement(String tags) {
    Statement statement = Statement.of(tags);
    assertSame(Statement.NONE, statement);
    assertFalse(statement.known());
  }
}
