package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Counts of integers in a binary tree of their bits, whose small branches are cut; Trino's type {@code qdigest}, and its bytes. */
public final class QuantileDigest implements Digest<QuantileDigest> {
  private static final int HEAD = 1 + 2 * Double.BYTES + 3 * Long.BYTES + Integer.BYTES;
  private static final int NODE = 1 + Double.BYTES + Long.BYTES;
  private static final int HAS_LEFT = 1;
  private static final int HAS_RIGHT = 2;
  private static final double NOTHING = 1e-5;

  private final double error;
  private double total;
  private long max = Long.MIN_VALUE;
  private long min = Long.MAX_VALUE;
  private Node root;

  public QuantileDigest(double error) {
    this.error = error;
  }

  private static final class Node {
    private final long bits;
    private final int level;
    private double count;
    private Node left;
    private Node right;

    Node(long bits, int level, double count) {
      this.bits = bits;
      this.level = level;
      this.count = count;
    }

    boolean goesLeft(long other) {
      return (other & (1L << (level - 1))) == 0;
    }

    private long mask() {
      return level == 0 ? 0 : -1L >>> (Long.SIZE - level);
    }

    long greatest() {
      return sortable(bits | mask());
    }

    long least() {
      return sortable(bits & ~mask());
    }
  }

  /** Bits in the order of signed numbers, and back. */
  private static long sortable(long value) {
    return value ^ Long.MIN_VALUE;
  }

  public static QuantileDigest read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < HEAD || in.get() != 0) {
      throw new IllegalArgumentException("Invalid format");
    }
    QuantileDigest made = new QuantileDigest(in.getDouble());
    if (in.getDouble() != 0) {
      throw new IllegalArgumentException("A qdigest whose counts decay is not supported.");
    }
    in.getLong();
    made.min = in.getLong();
    made.max = in.getLong();
    int nodes = in.getInt();
    if (nodes < 0 || in.remaining() != (long) NODE * nodes) {
      throw new IllegalArgumentException("Invalid format");
    }
    Deque<Node> above = new ArrayDeque<>();
    for (int i = 0; i < nodes; i++) {
      above.push(made.readNode(in, above));
    }
    if (above.size() > 1) {
      throw new IllegalArgumentException("Tree is corrupted. Expected a single root node");
    }
    made.root = above.poll();
    return made;
  }

  private Node readNode(ByteBuffer in, Deque<Node> above) {
    byte shape = in.get();
    int level = (shape >>> 2) & 0b111111;
    boolean leaf = (shape & (HAS_LEFT | HAS_RIGHT)) == 0;
    double count = in.getDouble();
    Node node = new Node(in.getLong(), leaf ? level : level + 1, count);
    total += count;
    node.right = (shape & HAS_RIGHT) != 0 ? above.poll() : null;
    node.left = (shape & HAS_LEFT) != 0 ? above.poll() : null;
    for (Node child : new Node[] {node.left, node.right}) {
      if (child != null && child.level >= node.level) {
        throw new IllegalArgumentException("Tree is corrupted. Expected levels to decrease");
      }
    }
    return node;
  }

  @Override
  public byte[] bytes() {
    compress();
    List<Node> nodes = new ArrayList<>();
    walk(root, false, nodes::add);
    ByteBuffer out = ByteBuffer.allocate(HEAD + NODE * nodes.size()).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 0).putDouble(error).putDouble(0).putLong(0).putLong(min).putLong(max).putInt(nodes.size());
    for (Node node : nodes) {
      int shape = Math.max(node.level - 1, 0) << 2;
      shape |= (node.left != null ? HAS_LEFT : 0) | (node.right != null ? HAS_RIGHT : 0);
      out.put((byte) shape).putDouble(node.count).putLong(node.bits);
    }
    return out.array();
  }

  /** Children before their parents; stops when the visitor says so. */
  private static boolean walk(Node node, boolean backwards, Predicate<Node> visitor) {
    if (node == null) {
      return true;
    }
    Node first = backwards ? node.right : node.left;
    Node second = backwards ? node.left : node.right;
    return walk(first, backwards, visitor) && walk(second, backwards, visitor) && visitor.test(node);
  }

  public void add(long value, double weight) {
    max = Math.max(max, value);
    min = Math.min(min, value);
    double before = total;
    root = put(root, sortable(value), weight);
    total += weight;
    int factor = factor();
    if ((long) before / factor != (long) total / factor) {
      compress();
    }
  }

  private static Node put(Node node, long bits, double count) {
    if (node == null) {
      return new Node(bits, 0, count);
    }
    if (!together(bits, node.bits, node.level)) {
      return siblings(node, new Node(bits, 0, count));
    }
    if (node.level == 0) {
      node.count += count;
    } else if (node.goesLeft(bits)) {
      node.left = put(node.left, bits, count);
    } else {
      node.right = put(node.right, bits, count);
    }
    return node;
  }

  private static boolean together(long one, long other, int level) {
    return level == Long.SIZE || one >>> level == other >>> level;
  }

  private static Node siblings(Node one, Node other) {
    Node parent = new Node(one.bits, Long.SIZE - Long.numberOfLeadingZeros(one.bits ^ other.bits), 0);
    boolean left = parent.goesLeft(one.bits);
    parent.left = left ? one : other;
    parent.right = left ? other : one;
    return parent;
  }

  /** {@code other} is of no use afterwards. */
  @Override
  public void merge(QuantileDigest other) {
    total += other.total;
    root = merge(root, other.root);
    max = Math.max(max, other.max);
    min = Math.min(min, other.min);
    compress();
  }

  private static Node merge(Node one, Node other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    if (!together(one.bits, other.bits, Math.max(one.level, other.level))) {
      return siblings(one, other);
    }
    if (one.level < other.level) {
      return merge(other, one);
    }
    if (one.level > other.level) {
      if (one.goesLeft(other.bits)) {
        one.left = merge(one.left, other);
      } else {
        one.right = merge(one.right, other);
      }
      return one;
    }
    one.count += other.count;
    one.left = merge(one.left, other.left);
    one.right = merge(one.right, other.right);
    return one;
  }

  private int factor() {
    return root == null ? 1 : Math.max((int) ((root.level + 1) / error), 1);
  }

  private void compress() {
    double bound = Math.floor(total / factor());
    walk(root, false, node -> {
      if (node.left == null && node.right == null) {
        return true;
      }
      double left = node.left == null ? 0 : node.left.count;
      double right = node.right == null ? 0 : node.right.count;
      boolean small = node.count + left + right < bound;
      if (node.left != null && (small || left < NOTHING)) {
        node.left = removed(node.left);
        node.count += left;
      }
      if (node.right != null && (small || right < NOTHING)) {
        node.right = removed(node.right);
        node.count += right;
      }
      return true;
    });
    if (root != null && root.count < NOTHING) {
      root = removed(root);
    }
  }

  /** What stays of a node whose count has gone to its parent. */
  private static Node removed(Node node) {
    if (node.left != null && node.right != null) {
      node.count = 0;
      return node;
    }
    return node.left != null ? node.left : node.right;
  }

  /** The value at a quantile: the upper bound of the node that holds it. */
  public long valueAt(double quantile) {
    if (!(quantile >= 0 && quantile <= 1)) {
      throw new IllegalArgumentException("quantile must be between [0,1]");
    }
    long[] found = {max};
    double[] sum = {0};
    walk(root, false, node -> {
      sum[0] += node.count;
      if (sum[0] > quantile * total) {
        found[0] = Math.min(node.greatest(), max);
        return false;
      }
      return true;
    });
    return found[0];
  }

  /** The share of values below one; null when it is beyond all of them. */
  public Double quantileAt(long value) {
    if (total == 0 || value > bound(true) || value < bound(false)) {
      return null;
    }
    double[] sum = {0};
    walk(root, false, node -> {
      if (value <= node.greatest()) {
        return false;
      }
      sum[0] += node.count;
      return true;
    });
    return sum[0] / total;
  }

  private long bound(boolean greatest) {
    long[] found = {greatest ? max : min};
    walk(root, greatest, node -> {
      if (node.count < NOTHING) {
        return true;
      }
      found[0] = greatest ? node.greatest() : node.least();
      return false;
    });
    return greatest ? Math.min(max, found[0]) : Math.max(min, found[0]);
  }
}
