package collections.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** java.util.Collections: algorithms and wrappers. */
public final class Main {
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(4, 8, 15, 16, 23, 42, 8));
        System.out.println(Collections.frequency(list, 8) + " " + Collections.max(list) + " " + Collections.min(list, Comparator.reverseOrder()) + " " + Collections.disjoint(list, List.of(1, 2)));
        Collections.rotate(list, 3);
        System.out.println(list);
        Collections.rotate(list.subList(1, 5), -1);
        System.out.println(list);
        Collections.shuffle(list, new Random(42));
        System.out.println(list);
        List<Integer> linked = new LinkedList<>(list);
        Collections.shuffle(linked, new Random(7));
        Collections.swap(linked, 0, 6);
        System.out.println(linked);
        Collections.sort(list);
        System.out.println(Collections.binarySearch(list, 16) + " " + Collections.binarySearch(list, 17) + " " + Collections.binarySearch(linked, 3, Comparator.naturalOrder()));
        System.out.println(Collections.nCopies(3, "ab") + " " + Collections.singletonList(1) + Collections.emptyMap() + Collections.emptySet() + Collections.singletonMap("k", "v"));
        System.out.println(Collections.indexOfSubList(Arrays.asList(1, 2, 3, 1, 2), Arrays.asList(1, 2)) + " " + Collections.lastIndexOfSubList(Arrays.asList(1, 2, 3, 1, 2), Arrays.asList(1, 2)));
        Collections.replaceAll(list, 8, 80);
        Collections.addAll(list, 1, 2);
        System.out.println(list);
        List<String> target = new ArrayList<>(Collections.nCopies(4, "?"));
        Collections.copy(target, List.of("a", "b"));
        Collections.fill(target.subList(2, 3), "f");
        System.out.println(target);
        Collection<String> locked = Collections.unmodifiableList(target);
        List checked = Collections.checkedList(new ArrayList<>(), String.class);
        checked.add("fine");
        List<Integer> sync = Collections.synchronizedList(new ArrayList<>());
        sync.add(5);
        sync.addAll(List.of(1, 2));
        sync.removeIf(x -> x == 1);
        System.out.println(sync + " " + checked + " " + locked);
        Map<String, Integer> syncMap = Collections.synchronizedMap(new TreeMap<>());
        syncMap.merge("a", 1, Integer::sum);
        syncMap.merge("a", 1, Integer::sum);
        System.out.println(syncMap + " " + Collections.unmodifiableMap(syncMap).get("a"));
        Runnable[] bad = {() -> locked.add("x"), () -> checked.add(5), () -> Collections.emptyList().add(null), () -> Collections.max(new ArrayList<Integer>()),
            () -> Collections.unmodifiableMap(syncMap).put("b", 2), () -> Collections.nCopies(-1, ""), () -> Collections.copy(new ArrayList<>(), List.of(1)), () -> List.of(1).set(0, 2), () -> List.of(1, null)};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("fine");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName());
            }
        }
        var queue = Collections.asLifoQueue(new java.util.ArrayDeque<Integer>());
        queue.add(1);
        queue.add(2);
        System.out.println(queue.poll() + " " + queue + " " + Collections.newSetFromMap(new TreeMap<String, Boolean>(Map.of("x", true))));
        System.out.println(Collections.list(Collections.enumeration(List.of(1, 2, 3))) + " " + list.equals(new LinkedList<>(list)) + " " + list.hashCode());
    }
}
