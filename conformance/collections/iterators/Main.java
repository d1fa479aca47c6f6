package collections.iterators;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeSet;

/** Iterable and Iterator: for-each over our own type, removal, fail-fast behaviour. */
public class Main {
    static class Range implements Iterable<Integer> {
        final int from, to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int next = from;

                @Override
                public boolean hasNext() {
                    return next < to;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) throw new NoSuchElementException("after " + (to - 1));
                    return next++;
                }
            };
        }
    }

    static void modify(String name, Collection<Integer> c) {
        for (int i = 0; i < 6; i++) {
            c.add(i);
        }
        try {
            for (Integer i : c) {
                if (i == 2) c.remove(i);
            }
            System.out.println(name + " not noticed");
        } catch (ConcurrentModificationException e) {
            System.out.println(name + " " + e.getMessage() + " " + c);
        }
        for (Iterator<Integer> it = c.iterator(); it.hasNext(); ) {
            if (it.next() % 2 == 1) it.remove();
        }
        System.out.println(c);
        try {
            c.iterator().remove();
        } catch (IllegalStateException e) {
            System.out.println("nothing to remove");
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i : new Range(3, 8)) {
            for (Integer j : new Range(0, 2)) {
                sum += i * j;
            }
        }
        System.out.println(sum);
        new Range(0, 3).forEach(i -> System.out.print(i + " "));
        Iterator<Integer> it = new Range(0, 4).iterator();
        it.next();
        it.forEachRemaining(i -> System.out.print("r" + i + " "));
        System.out.println();
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Range(0, 1).iterator().remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        modify("ArrayList", new ArrayList<>());
        modify("LinkedList", new LinkedList<>());
        modify("TreeSet", new TreeSet<>());
        modify("HashSet", new java.util.HashSet<>());
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1));
        try {
            for (String k : map.keySet()) {
                map.put(k + "x", 2);
                map.put(k + "y", 3);
            }
            System.out.println("not noticed " + map.size());
        } catch (ConcurrentModificationException e) {
            System.out.println("map changed");
        }
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        for (Integer i : list) {
            if (i == 2) list.remove(i);
        }
        System.out.println("second to last goes unnoticed: " + list);
        List<Integer> sub = list.subList(0, 1);
        list.add(9);
        try {
            System.out.println(sub.size());
        } catch (ConcurrentModificationException e) {
            System.out.println("sublist");
        }
    }
}
