package sqe.spark;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CallMethodViaReflection;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PythonUDF;
import org.apache.spark.sql.catalyst.plans.logical.CacheTable;
import org.apache.spark.sql.catalyst.plans.logical.CacheTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.CompoundBody;
import org.apache.spark.sql.catalyst.plans.logical.CreateFunction;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoDir;
import org.apache.spark.sql.catalyst.plans.logical.LoadData;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ScriptTransformation;
import org.apache.spark.sql.catalyst.plans.logical.UncacheTable;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedDataSource;
import org.apache.spark.sql.execution.command.AddArchivesCommand;
import org.apache.spark.sql.execution.command.AddFilesCommand;
import org.apache.spark.sql.execution.command.AddJarsCommand;
import org.apache.spark.sql.execution.command.AlterDatabasePropertiesCommand;
import org.apache.spark.sql.execution.command.AlterDatabaseSetLocationCommand;
import org.apache.spark.sql.execution.command.ClearCacheCommand$;
import org.apache.spark.sql.execution.command.CreateDataSourceTableAsSelectCommand;
import org.apache.spark.sql.execution.command.CreateDataSourceTableCommand;
import org.apache.spark.sql.execution.command.CreateDatabaseCommand;
import org.apache.spark.sql.execution.command.CreateFunctionCommand;
import org.apache.spark.sql.execution.command.CreateTableCommand;
import org.apache.spark.sql.execution.command.CreateTableLikeCommand;
import org.apache.spark.sql.execution.command.DropDatabaseCommand;
import org.apache.spark.sql.execution.command.InsertIntoDataSourceDirCommand;
import org.apache.spark.sql.execution.command.ListArchivesCommand;
import org.apache.spark.sql.execution.command.ListFilesCommand;
import org.apache.spark.sql.execution.command.ListJarsCommand;
import org.apache.spark.sql.execution.command.LoadDataCommand;
import org.apache.spark.sql.execution.datasources.CreateTable;
import org.apache.spark.sql.execution.datasources.CreateTempViewUsing;
import org.apache.spark.sql.execution.datasources.InsertIntoDataSourceCommand;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.RefreshResource;
import org.apache.spark.sql.execution.datasources.SaveIntoDataSourceCommand;

/** The kinds of plan nodes and expressions that nobody may use, each with its reason. */
final class LockedNodes {
  /** What the statement is called, and why it is refused. */
  record Refused(String what, String why) {}

  private static final String CACHED =
      "All users of the engine share what is cached, whoever may read the table that it came from.";
  private static final String FILES = "It would read or write files with the account of the server.";
  private static final String CODE = "It would run code with the account of the server.";
  private static final String SHARED = "All users of the engine share that catalog.";

  private static final Map<Class<?>, Refused> PLANS =
      Map.ofEntries(
          // What is cached is found by the plan, and Iceberg's tables are equal by name and snapshot.
          entry(CacheTable.class, new Refused("CACHE TABLE", CACHED)),
          entry(CacheTableAsSelect.class, new Refused("CACHE TABLE", CACHED)),
          entry(UncacheTable.class, new Refused("UNCACHE TABLE", CACHED)),
          entry(ClearCacheCommand$.class, new Refused("CLEAR CACHE", CACHED)),
          entry(RefreshResource.class, new Refused("REFRESH of a path", CACHED)),
          // Jars and files.
          entry(AddJarsCommand.class, new Refused("ADD JAR", CODE)),
          entry(AddFilesCommand.class, new Refused("ADD FILE", FILES)),
          entry(AddArchivesCommand.class, new Refused("ADD ARCHIVE", FILES)),
          entry(ListJarsCommand.class, new Refused("LIST JARS", "It tells about the inside of the server.")),
          entry(ListFilesCommand.class, new Refused("LIST FILES", "It tells about the inside of the server.")),
          entry(ListArchivesCommand.class, new Refused("LIST ARCHIVES", "It tells about the inside of the server.")),
          // Code.
          entry(CreateFunction.class, new Refused("A function of a Java class", CODE)),
          entry(CreateFunctionCommand.class, new Refused("A function of a Java class", CODE)),
          entry(ScriptTransformation.class, new Refused("TRANSFORM", CODE)),
          entry(CompoundBody.class, new Refused("A script", "Send one statement at a time.")),
          // Files in the place of tables.
          entry(UnresolvedDataSource.class, new Refused("Reading files", FILES)),
          entry(LogicalRelation.class, new Refused("Reading files", FILES)),
          entry(CreateTempViewUsing.class, new Refused("A view of files", FILES)),
          entry(InsertIntoDir.class, new Refused("INSERT OVERWRITE DIRECTORY", FILES)),
          entry(InsertIntoDataSourceDirCommand.class, new Refused("INSERT OVERWRITE DIRECTORY", FILES)),
          entry(InsertIntoHadoopFsRelationCommand.class, new Refused("Writing files", FILES)),
          entry(InsertIntoDataSourceCommand.class, new Refused("Writing files", FILES)),
          entry(SaveIntoDataSourceCommand.class, new Refused("Writing files", FILES)),
          entry(LoadData.class, new Refused("LOAD DATA", FILES)),
          entry(LoadDataCommand.class, new Refused("LOAD DATA", FILES)),
          // What Spark does in its own catalog only.
          entry(CreateTable.class, new Refused("A table in spark_catalog", SHARED)),
          entry(CreateTableCommand.class, new Refused("A table in spark_catalog", SHARED)),
          entry(CreateTableLikeCommand.class, new Refused("A table in spark_catalog", SHARED)),
          entry(CreateDataSourceTableCommand.class, new Refused("A table in spark_catalog", SHARED)),
          entry(CreateDataSourceTableAsSelectCommand.class, new Refused("A table in spark_catalog", SHARED)),
          entry(CreateDatabaseCommand.class, new Refused("A schema in spark_catalog", SHARED)),
          entry(DropDatabaseCommand.class, new Refused("A schema in spark_catalog", SHARED)),
          entry(AlterDatabasePropertiesCommand.class, new Refused("A schema in spark_catalog", SHARED)),
          entry(AlterDatabaseSetLocationCommand.class, new Refused("A schema in spark_catalog", SHARED)));

  private static final Map<Class<?>, Refused> EXPRESSIONS =
      Map.of(
          CallMethodViaReflection.class, new Refused("Calling a Java method", CODE),
          PythonUDF.class, new Refused("A function in Python", CODE));

  /** Procedures of Iceberg's, by name: they run while the statement is analysed. */
  private static final Map<String, String> PROCEDURES =
      Map.of("add_files", FILES, "snapshot", FILES, "migrate", FILES, "remove_orphan_files", FILES);

  private LockedNodes() {}

  static Refused plan(LogicalPlan node) {
    return PLANS.get(node.getClass());
  }

  static Refused expression(Expression expression) {
    return EXPRESSIONS.get(expression.getClass());
  }

  static Refused procedure(String name) {
    String why = PROCEDURES.get(name.toLowerCase(Locale.ROOT));
    return why == null ? null : new Refused("The procedure " + name, why);
  }
}
