package sqe.spark.trino.digest;

/** Values in a form of bounded size, which can be written and merged with another of its class. */
public interface Digest<D extends Digest<D>> {
  void merge(D other);

  byte[] bytes();
}
