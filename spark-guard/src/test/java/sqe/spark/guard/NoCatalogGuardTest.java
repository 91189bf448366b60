package sqe.spark.guard;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.junit.jupiter.api.Test;
import sqe.spark.kinds.Procedures;

/** The guard of an engine without policies. */
class NoCatalogGuardTest {
  private static final Identifier IDENT = Identifier.of(new String[] {"s"}, "t");

  private final CatalogGuard guard = CatalogGuard.of(null, "c");

  @Test
  void anEngineThatIsNotGuardedHasIt() {
    assertInstanceOf(NoCatalogGuard.class, guard);
    assertFalse(guard.hides());
    assertSame(Procedures.OPEN, guard.procedures(null));
  }

  @Test
  void itAllowsEverythingAndLoadsNothing() {
    CatalogGuard.Load never =
        ident -> {
          throw new AssertionError("nothing has to be loaded");
        };
    assertDoesNotThrow(() -> guard.allowed("drop", IDENT, never));
    assertDoesNotThrow(() -> guard.allowed("create_table", "table", IDENT));
    assertDoesNotThrow(() -> guard.allowed("create_schema", new String[] {"s"}));
    assertDoesNotThrow(() -> guard.refuseOwn(List.of("sqe.owner")));
    assertTrue(guard.isShown("table", IDENT));
    assertTrue(guard.isShown(new String[] {"s"}));
  }

  @Test
  void itChangesNothing() throws Exception {
    Map<String, String> properties = Map.of("a", "b");
    Identifier[] names = {IDENT};
    String[][] namespaces = {{"s"}};
    assertSame(properties, guard.owned("create_table", "table", IDENT, properties));
    assertSame(properties, guard.owned(properties, Map.of("sqe.owner", "ann")));
    assertSame(names, guard.listed("table", names));
    assertSame(namespaces, guard.listed(namespaces));
    assertNull(guard.read(IDENT, null, null, ident -> null));
    assertNull(guard.write(IDENT, null, Set.of()));
    assertNull(guard.staged(IDENT, null));
  }
}
