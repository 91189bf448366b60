package sqe.spark.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of hashes in policies: one for each column of each table, which policy text cannot choose. */
class HashKeysTest {
  private static final Question.Resource TABLE = resource("uuid-1");
  private static final byte[] KEY = "the mask key of these tests".getBytes(StandardCharsets.US_ASCII);

  private static GuardRefusal withoutKey;

  @BeforeAll
  static void tell() {
    // Before the key, which cannot be taken back.
    withoutKey = assertThrows(GuardRefusal.class, () -> HashMask.of(List.of()));
    HashMask.key(KEY);
  }

  @Test
  void withoutAKeySuchAPolicyIsRefused() {
    assertEquals("SQE_POLICY_UNSUPPORTED", withoutKey.getCondition());
    assertEquals("A policy hashes values, and there is no mask key.", withoutKey.getMessage());
  }

  private static Question.Resource resource(String uuid) {
    return new Question.Resource(
        "table",
        "c",
        List.of("s"),
        "t",
        List.of(
            new Question.Column("email", "string", 3, List.of(), null, false, List.of(), false),
            new Question.Column("Phone", "string", 4, List.of(), null, false, List.of(), false),
            new Question.Column("new", "string", null, List.of(), null, false, List.of(), false)),
        List.of(),
        uuid,
        null,
        null,
        null);
  }

  private static Expression parse(String text) {
    return (Expression) new CatalystSqlParser().parseExpression(text);
  }

  @ParameterizedTest
  @CsvSource({
    "sqe_hmac(email), email, 'column uuid-1 3'",
    "SQE_HMAC(email), email, 'column uuid-1 3'",
    "sqe_hmac(email), EMAIL, 'column uuid-1 3'",
    "sqe_hmac(email), phone, 'column uuid-1 4'",
    "'concat(1, sqe_hmac(email))', Phone, 'column uuid-1 4'",
    "'sqe_shared_hmac(email, ''mail'')', phone, 'name mail'",
    "'sqe_shared_hmac(email, ''column uuid-2 1'')', phone, 'name column uuid-2 1'",
  })
  void aMaskHashesWithTheKeyOfTheColumnThatItMasks(String mask, String column, String scope) {
    assertEquals(List.of(scope), scopes(HashKeys.inMask(parse(mask), TABLE, column)));
  }

  @ParameterizedTest
  @CsvSource({
    "'sqe_hmac(email) = ''x''', 'column uuid-1 3'",
    "'sqe_hmac(lower(Phone)) = ''x''', 'column uuid-1 4'",
    "'sqe_shared_hmac(email, ''mail'') = ''x''', 'name mail'",
  })
  void aRowFilterHashesWithTheKeyOfTheColumnInTheArgument(String filter, String scope) {
    assertEquals(List.of(scope), scopes(HashKeys.inFilter(parse(filter), TABLE)));
  }

  @Test
  void eachHashInARowFilterHasItsOwnKey() {
    Expression filter = HashKeys.inFilter(parse("sqe_hmac(email) = sqe_hmac(phone)"), TABLE);
    assertEquals(List.of("column uuid-1 3", "column uuid-1 4"), scopes(filter));
  }

  /** The second arguments of all hashes, which have to be literals. */
  private static List<String> scopes(Expression expression) {
    return scala.jdk.javaapi.CollectionConverters.asJava(expression.collectLeaves()).stream()
        .filter(leaf -> leaf instanceof Literal literal && String.valueOf(literal.value()).matches("(column|name) .*"))
        .map(leaf -> ((Literal) leaf).value().toString())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sqe_hmac()",
        "sqe_hmac(email, 'column uuid-2 1')",
        "sqe_shared_hmac(email)",
        "sqe_shared_hmac(email, '')",
        "sqe_shared_hmac(email, 1)",
        "sqe_shared_hmac(email, phone)",
        "sqe_shared_hmac(email, 'a', 'b')",
      })
  void aHashWithOtherArgumentsIsRefused(String mask) {
    assertThrows(IllegalArgumentException.class, () -> HashKeys.inMask(parse(mask), TABLE, "email"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqe_hmac('x') = 'y'", "sqe_hmac(concat(email, phone)) = 'y'", "sqe_hmac(other) = 'y'"})
  void aRowFilterThatDoesNotHashOneKnownColumnIsRefused(String filter) {
    assertThrows(IllegalArgumentException.class, () -> HashKeys.inFilter(parse(filter), TABLE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"new", "gone"})
  void aColumnWithoutAnIdHasNoKey(String column) {
    assertThrows(IllegalArgumentException.class, () -> HashKeys.inMask(parse("sqe_hmac(email)"), TABLE, column));
  }

  @Test
  void aTableWithoutAUuidHasNoKeys() {
    assertThrows(IllegalArgumentException.class, () -> HashKeys.inMask(parse("sqe_hmac(email)"), resource(null), "email"));
  }

  @Test
  void otherFunctionsStayAsTheyAre() {
    Expression mask = parse("concat(other.sqe_hmac(email), upper(email))");
    assertEquals(mask, HashKeys.inMask(mask, TABLE, "email"));
  }

  @Test
  void aHashIsAnHmacUnderAKeyThatIsDerivedForItsScope() throws Exception {
    byte[] derived = hmac(KEY, "column uuid-1 3");
    String expected = HexFormat.of().formatHex(hmac(derived, "a@b.c"));
    UTF8String hash = HashMask.hex(UTF8String.fromString("a@b.c"), UTF8String.fromString("column uuid-1 3"));
    assertEquals(expected, hash.toString());
    assertNotEquals(hash, HashMask.hex(UTF8String.fromString("a@b.c"), UTF8String.fromString("column uuid-2 3")));
  }

  private static byte[] hmac(byte[] key, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theKeyIsToldOnce() {
    assertThrows(IllegalStateException.class, () -> HashMask.key(new byte[] {1}));
  }

  @Test
  void aHashWithoutAScopeIsRefused() {
    Expression text = new Literal(UTF8String.fromString("x"), DataTypes.StringType);
    assertThrows(IllegalArgumentException.class, () -> HashMask.of(List.of(text)));
    assertThrows(IllegalArgumentException.class, () -> HashMask.of(List.of(text, text)));
  }
}
