package sqe.spark.identity;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Remembers what was fetched for a session and a catalog for as long as it is fresh.
 *
 * <p>For each key one thread fetches and the others wait for it. The oldest are forgotten first.
 */
final class Recent<V> {
  private static final int MOST = 10_000;

  /** @param until when it has to be fetched again; @param end when it is worth nothing any more, both by {@link System#nanoTime} */
  record Timed<V>(V value, long until, long end) {}

  private static final class Slot<V> {
    private Timed<V> held;
  }

  private final Map<String, Slot<V>> slots =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Slot<V>> eldest) {
          return size() > MOST;
        }
      };

  /** Drops everything whose key begins like this. */
  void forget(String beginning) {
    synchronized (slots) {
      slots.keySet().removeIf(key -> key.startsWith(beginning));
    }
  }

  /** What is held, or what {@code fetch} gives. While the gateway is silent, what is held serves until its end. */
  V get(String key, Supplier<Timed<V>> fetch) {
    Slot<V> slot;
    synchronized (slots) {
      slot = slots.computeIfAbsent(key, unknown -> new Slot<>());
    }
    synchronized (slot) {
      Timed<V> held = slot.held;
      if (held == null || System.nanoTime() - held.until() >= 0) {
        try {
          slot.held = fetch.get();
        } catch (ControlException | ProviderSilentException silent) {
          if (held == null || System.nanoTime() - held.end() >= 0) {
            throw silent;
          }
        }
      }
      return slot.held.value();
    }
  }
}
