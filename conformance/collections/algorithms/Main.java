package collections.algorithms;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/** The algorithms of Collections and the immutable collections of List and Map. */
public class Main {
    static void refuses(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " allowed");
        } catch (UnsupportedOperationException | NullPointerException e) {
            System.out.println(name + " " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(5, 3, 8, 1, 9, 2));
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l, 8) + " " + Collections.binarySearch(l, 4) + " " + Collections.binarySearch(l, 100));
        Collections.reverse(l);
        System.out.println(l + " " + Collections.max(l) + " " + Collections.min(l) + " " + Collections.min(l, Comparator.reverseOrder()));
        Collections.swap(l, 0, 5);
        Collections.rotate(l, 2);
        System.out.println(l);
        Collections.rotate(l.subList(1, 4), -1);
        System.out.println(l);
        Collections.sort(l, (a, b) -> a % 3 != b % 3 ? a % 3 - b % 3 : b - a);
        System.out.println(l);
        Collections.fill(l.subList(0, 2), 0);
        System.out.println(l + " " + Collections.frequency(l, 0) + " " + Collections.nCopies(3, "x"));
        System.out.println(Collections.indexOfSubList(l, List.of(0, 0)) + " " + Collections.replaceAll(l, 0, 7) + " " + l);
        Collections.addAll(l, 10, 20);
        List<Integer> target = new LinkedList<>(Collections.nCopies(9, -1));
        Collections.copy(target, l);
        System.out.println(target + " " + Collections.emptyList() + Collections.emptyMap() + Collections.singletonList(1)
                + Collections.singletonMap("k", "v") + Collections.singleton(null));
        List<String> stable = new ArrayList<>(List.of("bb", "a", "cc", "b", "aa", "c"));
        stable.sort(Comparator.comparing(String::length));
        System.out.println(stable);
        List<Integer> big = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            big.add(i * 7919 % 1009);
        }
        Collections.sort(big);
        System.out.println(big.get(0) + " " + big.get(150) + " " + big.get(299));
        List<Integer> fixed = List.of(1, 2, 3);
        refuses("set", () -> fixed.set(0, 1));
        refuses("sort", () -> fixed.sort(null));
        refuses("contains null", () -> fixed.contains(null));
        refuses("of null", () -> List.of(1, null));
        refuses("asList add", () -> Arrays.asList(1, 2).add(3));
        refuses("asList set", () -> Arrays.asList(1, 2).set(0, 3));
        refuses("unmodifiable map", () -> Collections.unmodifiableMap(Map.of()).put(1, 2));
        refuses("map of", () -> Map.of("a", 1).put("b", 2));
        refuses("nCopies", () -> Collections.nCopies(2, 2).clear());
        refuses("empty remove", () -> Collections.emptyList().remove("x"));
        System.out.println(List.copyOf(l).equals(l) + " " + List.of().equals(new ArrayList<>()) + " " + fixed.hashCode() + " " + fixed.indexOf(3));
        System.out.println(Map.of("only", 1) + " " + Map.entry("k", 2) + " " + List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
        Object[] array = {3, 1, 2};
        List<Object> view = Arrays.asList(array);
        Collections.reverse(view);
        System.out.println(array[0] + " " + view);
        try {
            Collections.sort((List) new ArrayList<Object>(Arrays.asList(1, "a")));
        } catch (ClassCastException e) {
            System.out.println("cannot compare");
        }
    }
}
