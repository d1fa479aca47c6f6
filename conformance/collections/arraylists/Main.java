package collections.arraylists;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** ArrayList: growth, insertion, both removes, views, equality, text. */
public class Main {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            l.add(i * i % 17);
        }
        System.out.println(l + " " + l.size());
        l.add(0, 100);
        l.add(l.size(), 200);
        l.set(3, -3);
        System.out.println(l.remove(1) + " " + l.remove(Integer.valueOf(16)) + " " + l.remove((Object) "no"));
        System.out.println(l.indexOf(9) + " " + l.lastIndexOf(9) + " " + l.contains(200) + " " + l.indexOf(null));
        l.removeIf(x -> x % 2 == 1);
        System.out.println(l);
        List<Integer> sub = l.subList(2, 6);
        sub.set(0, 1000);
        sub.add(77);
        sub.remove(1);
        System.out.println(sub + " " + l);
        sub.clear();
        System.out.println(l + " " + l.hashCode());
        System.out.println(l.addAll(Arrays.asList(5, 6, 7)) + " " + l.addAll(1, List.of(8, 9)) + " " + l.removeAll(List.of(5, 9)) + " " + l.retainAll(List.of(6, 7, 8, 100)));
        System.out.println(l + " " + l.containsAll(List.of(7, 8)) + " " + l.equals(Arrays.asList(100, 8, 6, 7)) + " " + l.equals(new Object()));
        l.replaceAll(x -> x * 10);
        l.sort(null);
        System.out.println(l);
        Integer[] array = l.toArray(new Integer[0]);
        Object[] objects = l.toArray();
        System.out.println(array.length + " " + array[0] + " " + objects.getClass().getSimpleName());
        Integer[] longer = {1, 2, 3, 4, 5, 6, 7};
        l.toArray(longer);
        System.out.println(Arrays.toString(longer));
        ArrayList<Integer> copy = new ArrayList<>(l);
        Collection<Integer> clone = (Collection<Integer>) copy.clone();
        copy.clear();
        copy.trimToSize();
        copy.ensureCapacity(50);
        System.out.println(copy.isEmpty() + " " + clone + " " + copy);
        List<Object> self = new ArrayList<>();
        self.add(self);
        self.add(null);
        System.out.println(self);
        List<String> unmodifiable = Collections.unmodifiableList(new ArrayList<>(List.of("a")));
        try {
            unmodifiable.add("b");
        } catch (UnsupportedOperationException e) {
            System.out.println("unmodifiable " + e.getMessage());
        }
        try {
            new ArrayList<>(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            l.add(50, 1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
