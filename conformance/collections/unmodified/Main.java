package collections.unmodified;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Immutable, unmodifiable and checked collections. */
public class Main {
    public static void main(String[] args) {
        List<Integer> fixed = List.of(1, 2, 3);
        List<Integer> source = new ArrayList<>(fixed);
        List<Integer> view = Collections.unmodifiableList(source);
        List<Integer> copy = List.copyOf(source);
        source.add(4);
        System.out.println(view + " " + copy + " " + (List.copyOf(copy) == copy));
        List<Integer> backed = Arrays.asList(3, 1, 2);
        backed.sort(null);
        System.out.println(backed + " " + Collections.nCopies(3, "x") + Collections.emptyList());
        List<String> checked = Collections.checkedList(new ArrayList<>(), String.class);
        for (Runnable attempt : new Runnable[] {() -> fixed.add(1), () -> view.remove(0), () -> backed.add(1),
                () -> List.of(1, null), () -> Map.of("a", 1, "a", 2), () -> Set.of(1, 1), () -> fixed.contains(
                null), () -> ((List) checked).add(5), () -> Collections.emptyIterator().next(),
                () -> Map.entry("a", 1).setValue(2), () -> Collections.max(List.<Integer>of()),
                () -> fixed.subList(2, 1), () -> source.listIterator().set(1)}) {
            try {
                attempt.run();
                System.out.println("none");
            } catch (RuntimeException thrown) {
                System.out.println(thrown.getClass().getSimpleName());
            }
        }
        System.out.println(Collections.frequency(source, 2) + " " + Collections.disjoint(fixed, List.of(9))
                + " " + Collections.binarySearch(source, 3) + " " + Collections.indexOfSubList(source,
                List.of(2, 3)));
        Collections.rotate(source, 1);
        Collections.swap(source, 0, 3);
        System.out.println(source + " " + Collections.min(source) + new ArrayList<>(
                Collections.unmodifiableCollection(source)).equals(source));
        Iterator<Integer> iterator = source.iterator();
        source.add(9);
        try {
            iterator.next();
        } catch (ConcurrentModificationException thrown) {
            System.out.println("modified");
        }
    }
}
