package collections.defaults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Default methods of List and Map over several implementations. */
public final class Main {
    private static void exercise(Map<String, Integer> m) {
        System.out.println(m.getClass().getSimpleName());
        for (String w : "one two three two one two".split(" ")) {
            m.merge(w, 1, Integer::sum);
        }
        System.out.println(new TreeMap<>(m) + " " + m.getOrDefault("four", -1));
        System.out.println(m.putIfAbsent("one", 9) + " " + m.putIfAbsent("five", 5) + " " + m.computeIfAbsent("six", String::length) + " " + m.computeIfAbsent("one", String::length) + " " + m.computeIfAbsent("nil", k -> null));
        System.out.println(m.computeIfPresent("two", (k, v) -> v * 10) + " " + m.computeIfPresent("two", (k, v) -> null) + " " + m.computeIfPresent("none", (k, v) -> v) + " " + m.compute("one", (k, v) -> v == null ? 1 : v + 1) + " " + m.compute("new", (k, v) -> v == null ? 100 : v));
        System.out.println(m.merge("new", 1, (a, b) -> null) + " " + m.containsKey("new") + " " + m.replace("one", 77) + " " + m.replace("one", 77, 78) + " " + m.replace("one", 1, 2) + " " + m.remove("one", 5) + " " + m.remove("one", 78));
        m.replaceAll((k, v) -> v + k.length());
        StringBuilder s = new StringBuilder();
        new TreeMap<>(m).forEach((k, v) -> s.append(k).append('=').append(v).append(' '));
        System.out.println(s);
        m.entrySet().removeIf(e -> e.getValue() > 9);
        m.keySet().remove("three");
        m.values().removeIf(Objects::isNull);
        for (Map.Entry<String, Integer> e : m.entrySet()) {
            e.setValue(e.getValue() * 2);
        }
        System.out.println(new TreeMap<>(m) + " " + m.size() + " " + m.equals(Map.copyOf(m)) + " " + m.hashCode());
        try {
            m.merge("x", null, Integer::sum);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>());
        exercise(new java.util.Hashtable<>());
        exercise(new java.util.concurrent.ConcurrentHashMap<>());
        exercise(new java.util.concurrent.ConcurrentSkipListMap<>());
        exercise(new java.util.WeakHashMap<>());
        List<String> l = new ArrayList<>(List.of("pear", "fig", "apple", "kiwi"));
        l.replaceAll(String::toUpperCase);
        l.removeIf(s -> s.length() == 3);
        l.sort(null);
        System.out.println(l);
        l.sort((a, b) -> b.compareTo(a));
        System.out.println(l + " " + l.toArray(new String[0]).length + " " + l.toArray(String[]::new)[0] + " " + List.copyOf(l));
        System.out.println(Map.entry("a", 1) + " " + new java.util.AbstractMap.SimpleEntry<>("k", "v") + " " + Map.entry("a", 1).equals(new java.util.AbstractMap.SimpleImmutableEntry<>("a", 1)));
    }
}
