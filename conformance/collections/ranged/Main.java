package collections.ranged;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** Views of sorted maps and sets. */
public class Main {
    public static void main(String[] args) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int key = 10; key <= 50; key += 10) {
            map.put(key, "v" + key);
        }
        System.out.println(map.floorKey(25) + " " + map.ceilingKey(25) + " " + map.lowerKey(10) + " "
                + map.higherEntry(40));
        System.out.println(map.headMap(30) + " " + map.headMap(30, true) + " " + map.tailMap(30, false)
                + " " + map.subMap(20, 40));
        System.out.println(map.descendingMap() + " " + map.descendingKeySet().first());
        NavigableMap<Integer, String> view = map.subMap(15, true, 45, true);
        view.put(25, "new");
        view.remove(40);
        System.out.println(map + " " + view.firstKey() + view.lastKey());
        try {
            view.put(50, "out");
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage());
        }
        System.out.println(map.pollFirstEntry() + " " + map.pollLastEntry() + " " + map.size());
        TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of("b", "A", "c", "B"));
        System.out.println(set + " " + set.contains("C") + " " + set.floor("bb") + " "
                + set.headSet("B", true));
        Iterator<String> down = set.descendingIterator();
        down.next();
        down.remove();
        System.out.println(set + " " + set.first() + set.last());
        map.compute(20, (key, value) -> value + key);
        map.merge(30, "x", String::concat);
        map.computeIfAbsent(35, key -> "made" + key);
        map.replaceAll((key, value) -> value + ".");
        System.out.println(map);
        ConcurrentSkipListMap<String, Integer> skip = new ConcurrentSkipListMap<>(Map.of("b", 2, "a", 1));
        System.out.println(skip + " " + skip.ceilingEntry("aa"));
    }
}
