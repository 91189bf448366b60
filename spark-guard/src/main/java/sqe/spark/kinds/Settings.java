package sqe.spark.kinds;

import org.apache.spark.sql.execution.command.ResetCommand;
import org.apache.spark.sql.execution.command.SetCommand;
import scala.Option;
import scala.Tuple2;

/**
 * The settings that a statement may set, read or put back; all others decide what a statement means, what it can reach or who
 * it acts as, and their values are not shown.
 */
final class Settings {
  private static final int SHOWN = 100;
  private static final String WHY =
      "A session may choose its time zone, and how the work of its queries is split and joined.";
  private static final KindList ALLOWED = new KindList("settings.txt");

  private Settings() {}

  static void check(SetCommand command) {
    Option<Tuple2<String, Option<String>>> pair = command.kv();
    if (pair.isEmpty()) {
      throw new NotAllowed("SET without a name", WHY);
    }
    String key = pair.get()._1();
    Option<String> value = pair.get()._2();
    Verdict verdict = check(value.isDefined() ? "SET of " : "Reading ", key);
    if (value.isDefined()) {
      SettingValue.check(key, value.get(), verdict.detail(), verdict.what());
    }
  }

  static void check(ResetCommand command) {
    if (command.config().isEmpty()) {
      throw new NotAllowed("RESET without a name", WHY);
    }
    check("RESET of ", command.config().get());
  }

  private static Verdict check(String what, String key) {
    Verdict verdict = ALLOWED.of(key);
    if (verdict.refuses()) {
      throw new NotAllowed(what + (key.length() > SHOWN ? key.substring(0, SHOWN) + "..." : key), WHY);
    }
    return verdict;
  }
}
