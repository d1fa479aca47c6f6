package collections.treemaps;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** TreeMap and TreeSet: order, navigation, views, comparators, removal. */
public class Main {
    public static void main(String[] args) {
        NavigableMap<Integer, String> m = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            m.put(i * 7 % 20 * 10, "v" + i);
        }
        System.out.println(m);
        System.out.println(m.firstKey() + " " + m.lastEntry() + " " + m.floorKey(55) + " " + m.ceilingKey(55) + " " + m.lowerKey(50)
                + " " + m.higherEntry(50) + " " + m.floorKey(-1) + " " + m.higherKey(190));
        System.out.println(m.headMap(30) + " " + m.headMap(30, true) + " " + m.tailMap(180) + " " + m.subMap(40, 70) + " " + m.subMap(40, false, 70, true));
        System.out.println(m.descendingMap().headMap(160) + " " + m.descendingKeySet().first());
        System.out.println(m.pollFirstEntry() + " " + m.pollLastEntry() + " " + m.remove(100) + " " + m.remove(101));
        NavigableMap<Integer, String> view = m.subMap(40, true, 80, true);
        view.remove(50);
        view.put(45, "in view");
        System.out.println(view + " " + view.size() + " " + m.size());
        try {
            view.put(500, "out");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (int k = 10; k < 190; k += 20) {
            m.remove(k);
        }
        System.out.println(m + " " + m.containsValue("v3") + " " + m.get(20) + " " + m.get(21));
        m.entrySet().iterator().next().setValue("first");
        System.out.println(m.firstEntry().getValue());
        try {
            m.firstEntry().setValue("snapshot");
        } catch (UnsupportedOperationException e) {
            System.out.println("snapshot entry");
        }
        TreeMap<String, Integer> byLength = new TreeMap<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        for (String s : "one two three four five six seven".split(" ")) {
            byLength.put(s, s.hashCode() % 10);
        }
        System.out.println(byLength + " " + (byLength.comparator() == null));
        NavigableSet<String> set = new TreeSet<>(List.of("delta", "alpha", "charlie", "bravo"));
        System.out.println(set + " " + set.add("bravo") + " " + set.ceiling("b") + " " + set.lower("alpha") + " " + set.pollFirst()
                + " " + set.headSet("charlie", true) + " " + set.descendingSet() + " " + set.last());
        TreeSet<String> ignoring = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(ignoring, "b", "A", "a", "B", "c");
        System.out.println(ignoring + " " + ignoring.contains("C"));
        try {
            new TreeSet<Object>().add(new Object());
        } catch (ClassCastException e) {
            System.out.println("not comparable");
        }
        try {
            m.put(null, "x");
        } catch (NullPointerException e) {
            System.out.println("null key");
        }
    }
}
