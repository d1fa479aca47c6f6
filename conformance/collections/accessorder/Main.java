package collections.accessorder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Access order and eviction, identity maps, deques at both ends. */
public final class Main {
    static final class Lru<K, V> extends LinkedHashMap<K, V> {
        private final int limit;

        Lru(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > limit;
        }
    }

    public static void main(String[] args) {
        Lru<String, Integer> lru = new Lru<>(3);
        for (String s : "a b c a d e a f".split(" ")) {
            lru.merge(s, 1, Integer::sum);
            System.out.print(lru.keySet() + " ");
        }
        lru.get("e");
        lru.getOrDefault("a", 0);
        lru.putIfAbsent("f", 9);
        System.out.println(lru + " " + lru.containsKey("b"));
        IdentityHashMap<String, Integer> ids = new IdentityHashMap<>();
        String x = "key";
        String y = new String("key");
        ids.put(x, 1);
        ids.put(y, 2);
        ids.put("key", 3);
        System.out.println(ids.size() + " " + ids.get(x) + " " + ids.get(y) + " " + ids.get(new String("key")) + " " + ids.containsKey("ke" + "y"));
        ids.remove(y);
        System.out.println(ids);
        Deque<Integer> d = new ArrayDeque<>(2);
        for (int i = 0; i < 20; i++) {
            if (i % 3 == 0) {
                d.push(i);
            } else {
                d.offerLast(i);
            }
            if (i % 5 == 4) {
                d.pollFirst();
            }
        }
        System.out.println(d + " " + d.peek() + " " + d.peekLast() + " " + d.size() + " " + d.contains(7));
        d.removeFirstOccurrence(7);
        d.removeLastOccurrence(100);
        d.removeIf(v -> v % 2 == 0);
        StringBuilder s = new StringBuilder();
        d.descendingIterator().forEachRemaining(v -> s.append(v).append(' '));
        System.out.println(s);
        while (!d.isEmpty()) {
            System.out.print(d.pop() + (d.isEmpty() ? "\n" : d.removeLast() + " "));
        }
        try {
            d.removeFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty " + d.poll() + d.peekFirst());
        }
        LinkedHashSet<Integer> set = new LinkedHashSet<>(List.of(3, 1, 2));
        set.add(3);
        set.remove(1);
        set.add(1);
        set.retainAll(List.of(1, 3, 5));
        System.out.println(set);
    }
}
