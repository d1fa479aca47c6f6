package collections.linkedmaps;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** LinkedHashMap and LinkedHashSet keep insertion order; access order makes an LRU cache. */
public class Main {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        private final int limit;
        final List<K> evicted = new ArrayList<>();

        Lru(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            boolean full = size() > limit;
            if (full) evicted.add(eldest.getKey());
            return full;
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> m = new LinkedHashMap<>();
        for (String s : new String[] {"zeta", "alpha", "mid", "beta", "alpha"}) {
            m.put(s, s.length() + m.size());
        }
        System.out.println(m + " " + m.keySet() + " " + m.values());
        m.remove("mid");
        m.put("mid", 0);
        m.put("zeta", -1);
        System.out.println(m);
        Lru<Integer, String> cache = new Lru<>(3);
        for (int i = 0; i < 5; i++) {
            cache.put(i, "v" + i);
            cache.get(2);
        }
        System.out.println(cache + " evicted " + cache.evicted);
        cache.getOrDefault(3, "none");
        cache.putIfAbsent(2, "other");
        cache.put(9, "nine");
        System.out.println(cache.keySet() + " evicted " + cache.evicted + " " + cache.containsKey(4) + " " + cache.containsKey(3));
        Set<Object> set = new LinkedHashSet<>();
        System.out.println(set.add("b") + " " + set.add("a") + " " + set.add("b") + " " + set.add(null) + " " + set.add(1));
        set.remove("b");
        set.add("b");
        System.out.println(set + " " + set.contains(null) + " " + set.size());
        set.retainAll(new ArrayList<>(List.of("a", "b")));
        System.out.println(set + " " + set.equals(Set.of("b", "a")) + " " + set.hashCode());
        LinkedHashMap<String, Integer> copy = new LinkedHashMap<>(m);
        copy.entrySet().removeIf(e -> e.getValue() < 0);
        System.out.println(copy + " " + m.equals(copy));
    }
}
