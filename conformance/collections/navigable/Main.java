package collections.navigable;

import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Views of navigable maps and sets: bounds, descending, writes through, errors at the range. */
public final class Main {
    private static void map(NavigableMap<Integer, String> m) {
        for (int i = 10; i <= 90; i += 10) {
            m.put(i, "v" + i);
        }
        System.out.println(m.floorKey(35) + " " + m.ceilingKey(35) + " " + m.lowerKey(10) + " " + m.higherKey(90) + " " + m.floorEntry(40) + " " + m.lastEntry());
        NavigableMap<Integer, String> sub = m.subMap(20, false, 60, true);
        System.out.println(sub + " " + sub.firstKey() + " " + sub.descendingMap() + " " + sub.headMap(40) + " " + sub.tailMap(50, false));
        sub.put(25, "new");
        m.remove(30);
        System.out.println(sub + " " + sub.size() + " " + sub.descendingKeySet() + " " + sub.navigableKeySet().higher(25));
        try {
            sub.put(20, "outside");
        } catch (IllegalArgumentException e) {
            System.out.println("outside");
        }
        System.out.println(sub.pollFirstEntry() + " " + sub.pollLastEntry() + " " + m);
        m.headMap(30, true).clear();
        m.descendingMap().subMap(80, 60).clear();
        System.out.println(m + " " + m.containsKey(60) + " " + m.headMap(45).isEmpty() + " " + m.descendingMap().firstEntry());
    }

    private static void set(NavigableSet<String> s) {
        s.addAll(Arrays.asList("kiwi", "apple", "fig", "pear", "lime", "date"));
        System.out.println(s + " " + s.first() + " " + s.last() + " " + s.lower("fig") + " " + s.floor("g") + " " + s.ceiling("g") + " " + s.higher("pear"));
        System.out.println(s.headSet("fig") + "" + s.headSet("fig", true) + s.tailSet("kiwi") + s.tailSet("kiwi", false) + s.subSet("b", "l") + s.descendingSet());
        s.tailSet("l").removeIf(x -> x.startsWith("p"));
        System.out.println(s.pollFirst() + " " + s.pollLast() + " " + s);
        StringBuilder b = new StringBuilder();
        s.descendingIterator().forEachRemaining(x -> b.append(x).append(' '));
        System.out.println(b);
        try {
            s.add(null);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
    }

    public static void main(String[] args) {
        map(new TreeMap<>());
        map(new ConcurrentSkipListMap<>());
        set(new TreeSet<>());
        set(new ConcurrentSkipListSet<>());
        TreeSet<String> byLength = new TreeSet<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        byLength.addAll(Arrays.asList("bb", "a", "ccc", "aa", "c", "bb"));
        System.out.println(byLength + " " + byLength.headSet("bb", true) + " " + (byLength.comparator() != null));
        TreeMap<String, Integer> nulls = new TreeMap<>(Comparator.nullsFirst(Comparator.naturalOrder()));
        nulls.put("b", 1);
        nulls.put(null, 0);
        System.out.println(nulls + " " + nulls.firstKey() + " " + nulls.get(null));
        try {
            new TreeSet<Object>(Arrays.asList("x", 1));
        } catch (ClassCastException e) {
            System.out.println("not comparable");
        }
    }
}
