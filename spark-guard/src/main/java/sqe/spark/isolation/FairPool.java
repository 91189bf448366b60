package sqe.spark.isolation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.Pool;
import org.apache.spark.scheduler.Schedulable;
import org.apache.spark.scheduler.TaskSetManager;
import scala.Enumeration;
import scala.collection.mutable.ArrayBuffer;

/**
 * The stages that wait for a slot, in the order in which they get one.
 *
 * <p>The user with the fewest running tasks comes first, then the user's statement with the fewest. One statement has at most as
 * many tasks as there are cores, so that it has the whole machine when it is alone; one user at most twice as many. While
 * all cores are in use a statement gets its share of slots and no more, so that the number of tasks, and
 * with it the memory that they need, grows with the number of statements only.
 */
final class FairPool extends Pool {
  private static final int OF_USER = 2;

  private final int cores;

  FairPool(int cores, Enumeration.Value mode) {
    super("", mode, 0, 0);
    this.cores = cores;
  }

  /** What Spark's own code says is logged under Spark's name: the log of a guarded engine leaves out such messages. */
  @Override
  public String logName() {
    return Pool.class.getName();
  }

  @Override
  public ArrayBuffer<TaskSetManager> getSortedTaskSetQueue() {
    List<Stage> stages = new ArrayList<>();
    for (Schedulable schedulable : schedulableQueue()) {
      if (schedulable instanceof TaskSetManager manager) {
        Statement statement = Statement.of(manager.taskSet().properties());
        stages.add(
            new Stage(manager, statement, manager.runningTasks(), waits(manager), manager.priority(), manager.stageId()));
      }
    }
    ArrayBuffer<TaskSetManager> queue = new ArrayBuffer<>();
    for (Stage stage : order(stages, cores)) {
      queue.addOne(stage.manager());
    }
    return queue;
  }

  private static boolean waits(TaskSetManager manager) {
    return !manager.isZombie() && manager.numTasks() > manager.tasksSuccessful() + manager.runningTasks();
  }

  /** Return the stages of which one more task may start now, the first of them first. */
  static List<Stage> order(List<Stage> stages, int cores) {
    Map<String, Integer> ofUser = new HashMap<>();
    Map<Statement, Integer> ofStatement = new HashMap<>();
    Map<String, Integer> statements = new HashMap<>();
    int running = 0;
    for (Stage stage : stages) {
      if (stage.running() > 0 || stage.waits()) {
        running += stage.running();
        ofUser.merge(stage.statement().user(), stage.running(), Integer::sum);
        if (!ofStatement.containsKey(stage.statement())) {
          statements.merge(stage.statement().user(), 1, Integer::sum);
        }
        ofStatement.merge(stage.statement(), stage.running(), Integer::sum);
      }
    }
    int shareOfUser = share(OF_USER * cores, ofUser.size());
    boolean idle = running < cores;
    List<Stage> able = new ArrayList<>();
    for (Stage stage : stages) {
      if (stage.waits()) {
        String user = stage.statement().user();
        int mine = ofStatement.get(stage.statement());
        int share = idle ? cores : Math.min(cores, share(shareOfUser, statements.get(user)));
        if (mine < share && ofUser.get(user) < OF_USER * cores) {
          able.add(stage);
        }
      }
    }
    able.sort(
        Comparator.<Stage>comparingInt(stage -> ofUser.get(stage.statement().user()))
            .thenComparingInt(stage -> ofStatement.get(stage.statement()))
            .thenComparingInt(Stage::priority)
            .thenComparingInt(Stage::id));
    return able;
  }

  private static int share(int whole, int parts) {
    return Math.max(1, (whole + parts - 1) / Math.max(1, parts));
  }

  /** One stage of a statement, with the number of its running tasks and whether it has more of them. */
  record Stage(TaskSetManager manager, Statement statement, int running, boolean waits, int priority, int id) {}
}
