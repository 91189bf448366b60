package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hashes that Trino 476 has of the first bytes of a text, around the lengths at which the algorithm changes. */
class SpookyHashTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String TEXT = "abcdefghijklmnopqrstuvwxyz".repeat(40);

  @ParameterizedTest
  @CsvSource({
        "0,6BF50919,232706FC6BF50919",
        "1,A0BBC9BD,1A108191A0BBC9BD",
        "2,202A090F,F9DBB6AD202A090F",
        "3,7537C967,8AAB15F77537C967",
        "4,725121B4,5C6DB4E0725121B4",
        "5,F609EA58,4D36BF2CF609EA58",
        "7,C64BA57E,E134FB62C64BA57E",
        "8,A539EB6E,101C8730A539EB6E",
        "9,5B2B9088,C07B3E2B5B2B9088",
        "11,BAF6C6AF,2F287434BAF6C6AF",
        "12,13C1AFC3,631894F213C1AFC3",
        "13,5786F1B8,5BD8620A5786F1B8",
        "15,D03E5B3B,10929638D03E5B3B",
        "16,A62B11DE,4395DFBFA62B11DE",
        "17,23A38A5E,200F754823A38A5E",
        "23,DA9FA506,18C19C7EDA9FA506",
        "31,4CD88EB7,8E1E1E834CD88EB7",
        "32,9B948788,CEEF50579B948788",
        "33,18163725,C816F83518163725",
        "47,12ADAEA4,F748491412ADAEA4",
        "48,6A428733,C5849F646A428733",
        "63,0F33FB60,891741D40F33FB60",
        "64,78AE6252,5BB69B0D78AE6252",
        "100,46E7E94A,94B547B546E7E94A",
        "191,1D6314D9,D12F0EC11D6314D9",
        "192,77426AC3,2005DB8F77426AC3",
        "193,212F3FD6,5B5151E9212F3FD6",
        "200,2649EEC5,D8D514462649EEC5",
        "287,F2F20685,72CDBBF4F2F20685",
        "288,2CBE8FD4,61274A522CBE8FD4",
        "289,86F4E83F,6FA2687F86F4E83F",
        "383,03C26255,7846654703C26255",
        "384,39F5604C,46CEDF1439F5604C",
        "500,8846F576,5B416CFC8846F576",
        "1000,82EB8DB5,42F584E182EB8DB5"
  })
  void hashesAreTrinos(int length, String hash32, String hash64) {
    byte[] bytes = TEXT.substring(0, length).getBytes(StandardCharsets.UTF_8);
    assertEquals(hash32, HEX.formatHex(SpookyHash.hash32(bytes)));
    assertEquals(hash64, HEX.formatHex(SpookyHash.hash64(bytes)));
  }
}
