package collections.sets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** HashSet: membership, algebra, hash order of small integers and strings. */
public class Main {
    public static void main(String[] args) {
        Set<Integer> s = new HashSet<>();
        for (int i = 30; i > 0; i -= 3) {
            System.out.print(s.add(i % 12) + " ");
        }
        System.out.println(s + " " + s.size());
        Set<String> words = new HashSet<>(Arrays.asList("pear", "apple", "fig", "plum", "kiwi", "apple"));
        System.out.println(words + " " + words.hashCode() + " " + words.contains("fig") + " " + words.contains(null));
        Set<Integer> a = new HashSet<>(List.of(1, 2, 3, 4)), b = new HashSet<>(List.of(3, 4, 5));
        Set<Integer> union = new HashSet<>(a), common = new HashSet<>(a), difference = new HashSet<>(a);
        System.out.println(union.addAll(b) + " " + common.retainAll(b) + " " + difference.removeAll(b) + " " + a.containsAll(common));
        System.out.println(union + " " + common + " " + difference + " " + Collections.disjoint(difference, b));
        Iterator<Integer> it = union.iterator();
        while (it.hasNext()) {
            if (it.next() % 2 == 0) it.remove();
        }
        System.out.println(union + " " + union.equals(Set.of(5, 3, 1)) + " " + new ArrayList<>(union));
        Set<Object> mixed = new HashSet<>();
        mixed.add(1);
        mixed.add(1L);
        mixed.add("1");
        mixed.add('1');
        mixed.add(1.0);
        mixed.add(null);
        mixed.add(new ArrayList<>());
        mixed.add(List.of());
        System.out.println(mixed.size() + " " + mixed.contains(new ArrayList<>()) + " " + mixed.remove(null) + " " + mixed.remove(2));
        List<Object> mutable = new ArrayList<>();
        Set<List<Object>> lost = new HashSet<>();
        lost.add(mutable);
        mutable.add("changed");
        System.out.println(lost.contains(mutable) + " " + lost.size() + " " + lost);
        Set<Integer> fixed = Set.of(7, 8);
        System.out.println(fixed.size() + " " + fixed.contains(7) + " " + fixed.contains(9) + " " + fixed.hashCode());
        try {
            Set.of(1, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Object[] sorted = words.toArray();
        Arrays.sort(sorted);
        System.out.println(Arrays.asList(sorted));
    }
}
