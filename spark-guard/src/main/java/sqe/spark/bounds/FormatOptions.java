package sqe.spark.bounds;

import org.apache.spark.sql.catalyst.expressions.CsvToStructs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JsonToStructs;
import org.apache.spark.sql.catalyst.expressions.SchemaOfCsv;
import org.apache.spark.sql.catalyst.expressions.SchemaOfJson;
import org.apache.spark.sql.catalyst.expressions.SchemaOfXml;
import org.apache.spark.sql.catalyst.expressions.StructsToCsv;
import org.apache.spark.sql.catalyst.expressions.StructsToJson;
import org.apache.spark.sql.catalyst.expressions.StructsToXml;
import org.apache.spark.sql.catalyst.expressions.XmlToStructs;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/** Looks at the options of functions for JSON, CSV and XML, some of which are formats of dates. */
final class FormatOptions {
  private FormatOptions() {}

  static void check(String function, Expression made, int limit) {
    ValueCheck check = new ValueCheck.Brief(function, "An option", limit);
    CollectionConverters.asJava(options(Bounded.inner(made))).values().forEach(each -> check.at(UTF8String.fromString(each)));
  }

  private static Map<String, String> options(Expression made) {
    if (made instanceof JsonToStructs json) {
      return json.options();
    } else if (made instanceof StructsToJson json) {
      return json.options();
    } else if (made instanceof SchemaOfJson json) {
      return json.options();
    } else if (made instanceof CsvToStructs csv) {
      return csv.options();
    } else if (made instanceof StructsToCsv csv) {
      return csv.options();
    } else if (made instanceof SchemaOfCsv csv) {
      return csv.options();
    } else if (made instanceof XmlToStructs xml) {
      return xml.options();
    } else if (made instanceof StructsToXml xml) {
      return xml.options();
    } else if (made instanceof SchemaOfXml xml) {
      return xml.options();
    }
    return scala.collection.immutable.Map$.MODULE$.empty();
  }
}
