package collections.hashmaps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** HashMap: order by hash, collisions, tree bins, resizing, the default methods of Map. */
public class Main {
    static class Key implements Comparable<Key> {
        final int id;

        Key(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return id % 3;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Key k && k.id == id;
        }

        @Override
        public int compareTo(Key o) {
            return Integer.compare(id, o.id);
        }

        @Override
        public String toString() {
            return "k" + id;
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> m = new HashMap<>();
        for (String w : "the cat and the dog and the bird and a fish".split(" ")) {
            m.merge(w, 1, Integer::sum);
        }
        System.out.println(m + " " + m.size() + " " + m.hashCode());
        System.out.println(m.put("cat", 50) + " " + m.put("new", 1) + " " + m.get("none") + " " + m.getOrDefault("none", -1));
        System.out.println(m.containsKey("dog") + " " + m.containsValue(50) + " " + m.remove("dog") + " " + m.remove("dog"));
        m.put(null, 0);
        m.put("nullValue", null);
        System.out.println(m.get(null) + " " + m.containsKey("nullValue") + " " + m.get("nullValue") + " " + m.getOrDefault("nullValue", 9));
        System.out.println(m.putIfAbsent("nullValue", 5) + " " + m.putIfAbsent("cat", 5) + " " + m.computeIfAbsent("c", String::length)
                + " " + m.computeIfPresent("cat", (k, v) -> null) + " " + m.compute("the", (k, v) -> v + 1) + " " + m.merge("a", 1, (x, y) -> null));
        System.out.println(m);
        System.out.println(m.replace("the", 7) + " " + m.replace("the", 7, 8) + " " + m.replace("the", 7, 9) + " " + m.remove("the", 1));
        m.replaceAll((k, v) -> v == null ? -1 : v * 2);
        m.entrySet().removeIf(e -> e.getValue() == 0);
        m.keySet().remove("new");
        m.values().remove(2);
        System.out.println(m);
        for (Map.Entry<String, Integer> e : m.entrySet()) {
            e.setValue(e.getValue() + e.getKey().length());
        }
        m.forEach((k, v) -> System.out.print(k + "->" + v + ";"));
        System.out.println();
        Map<Key, Integer> colliding = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            colliding.put(new Key(i * 7 % 200), i);
        }
        long sum = 0;
        for (int i = 0; i < 200; i += 3) {
            sum += colliding.remove(new Key(i));
        }
        System.out.println(sum + " " + colliding.size() + " " + colliding.get(new Key(100)) + " " + colliding.get(new Key(300)));
        List<Key> keys = new ArrayList<>(colliding.keySet());
        keys.sort(null);
        System.out.println(keys.subList(0, 5) + " " + keys.get(keys.size() - 1));
        Map<Integer, Integer> ints = new HashMap<>(4);
        for (int i = 0; i < 70; i++) {
            ints.put(i * 37 - 500, i);
        }
        System.out.println(ints);
        System.out.println(new HashMap<>(ints).equals(ints) + " " + ints.entrySet().iterator().next());
        colliding.clear();
        System.out.println(colliding.isEmpty() + " " + colliding);
    }
}
