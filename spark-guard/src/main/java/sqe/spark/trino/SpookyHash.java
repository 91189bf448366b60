package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** SpookyHash V2 of Bob Jenkins, which is in the public domain, with the seed 0. */
public final class SpookyHash {
  private static final long CONSTANT = 0xdeadbeefdeadbeefL;
  private static final int WORDS = 12;
  private static final int BLOCK = 8 * WORDS;
  private static final int LONG = 2 * BLOCK;

  private static final int[] MIX = {11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46};
  private static final int[] END = {44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54};
  private static final int[] SHORT_MIX = {50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36};
  private static final int[] SHORT_END = {15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63};

  private SpookyHash() {}

  @Scalar("spooky_hash_v2_32")
  public static byte[] hash32(byte[] bytes) {
    return ByteBuffer.allocate(4).putInt((int) hash(bytes)).array();
  }

  @Scalar("spooky_hash_v2_64")
  public static byte[] hash64(byte[] bytes) {
    return ByteBuffer.allocate(8).putLong(hash(bytes)).array();
  }

  private static long hash(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.length < LONG ? hashShort(in, bytes.length) : hashLong(in);
  }

  /** The hash of a short message: a state of four words. */
  private static long hashShort(ByteBuffer in, int length) {
    long[] state = {0, 0, CONSTANT, CONSTANT};
    while (in.remaining() >= 32) {
      state[2] += in.getLong();
      state[3] += in.getLong();
      mixShort(state);
      state[0] += in.getLong();
      state[1] += in.getLong();
    }
    if (in.remaining() >= 16) {
      state[2] += in.getLong();
      state[3] += in.getLong();
      mixShort(state);
    }
    state[3] += (long) length << 56;
    if (in.hasRemaining()) {
      ByteBuffer rest = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).put(in);
      state[2] += rest.getLong(0);
      state[3] += rest.getLong(8);
    } else {
      state[2] += CONSTANT;
      state[3] += CONSTANT;
    }
    for (int i = 0; i < SHORT_END.length; i++) {
      int before = (i + 2) % 4;
      int word = (i + 3) % 4;
      state[word] ^= state[before];
      state[before] = Long.rotateLeft(state[before], SHORT_END[i]);
      state[word] += state[before];
    }
    return state[0];
  }

  private static void mixShort(long[] state) {
    for (int i = 0; i < SHORT_MIX.length; i++) {
      int word = (i + 2) % 4;
      int after = (i + 3) % 4;
      int changed = i % 4;
      state[word] = Long.rotateLeft(state[word], SHORT_MIX[i]) + state[after];
      state[changed] ^= state[word];
    }
  }

  /** The hash of a long message: a state of twelve words, which each block of twelve words is mixed into. */
  private static long hashLong(ByteBuffer in) {
    long[] state = {0, 0, CONSTANT, 0, 0, CONSTANT, 0, 0, CONSTANT, 0, 0, CONSTANT};
    while (in.remaining() >= BLOCK) {
      for (int i = 0; i < WORDS; i++) {
        int before = (i + 11) % WORDS;
        state[i] += in.getLong();
        state[(i + 2) % WORDS] ^= state[(i + 10) % WORDS];
        state[before] ^= state[i];
        state[i] = Long.rotateLeft(state[i], MIX[i]);
        state[before] += state[(i + 1) % WORDS];
      }
    }
    int left = in.remaining();
    ByteBuffer last = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN).put(in);
    last.put(BLOCK - 1, (byte) left);
    for (int i = 0; i < WORDS; i++) {
      state[i] += last.getLong(8 * i);
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < WORDS; i++) {
        int before = (i + 11) % WORDS;
        int word = (i + 1) % WORDS;
        int after = (i + 2) % WORDS;
        state[before] += state[word];
        state[after] ^= state[before];
        state[word] = Long.rotateLeft(state[word], END[i]);
      }
    }
    return state[0];
  }
}
