package collections.listiterators;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;

/** ListIterator: set, add, remove, both directions, and their errors. */
public final class Main {
    private static void exercise(List<Integer> l) {
        for (int i = 0; i < 6; i++) {
            l.add(i);
        }
        ListIterator<Integer> it = l.listIterator();
        while (it.hasNext()) {
            int at = it.nextIndex();
            int v = it.next();
            if (v % 3 == 0) {
                it.remove();
            } else if (v % 2 == 0) {
                it.set(v * 100);
                it.add(-v);
            } else {
                it.set(at);
            }
        }
        System.out.println(l + " " + it.nextIndex() + " " + it.previousIndex());
        StringBuilder s = new StringBuilder();
        while (it.hasPrevious()) {
            s.append(it.previous()).append(',');
            if (it.previousIndex() == 1) {
                it.remove();
            }
        }
        System.out.println(s + " " + l);
        it = l.listIterator(2);
        it.add(7);
        it.add(8);
        System.out.println(it.previous() + " " + it.next() + " " + l + l.subList(1, 4));
        String errors = "";
        try {
            l.listIterator().set(1);
        } catch (IllegalStateException e) {
            errors += "state ";
        }
        try {
            ListIterator<Integer> x = l.listIterator();
            x.next();
            x.remove();
            x.remove();
        } catch (IllegalStateException e) {
            errors += "twice ";
        }
        try {
            l.listIterator(l.size()).next();
        } catch (NoSuchElementException e) {
            errors += "end ";
        }
        try {
            l.listIterator(-1);
        } catch (IndexOutOfBoundsException e) {
            errors += "index ";
        }
        try {
            for (Integer x : l) {
                l.add(x);
            }
        } catch (ConcurrentModificationException e) {
            errors += "concurrent ";
        }
        try {
            List<Integer> sub = l.subList(0, 2);
            l.add(1);
            sub.size();
        } catch (ConcurrentModificationException e) {
            errors += "sub ";
        }
        System.out.println(errors + l.size());
        List<Integer> sub = l.subList(1, 4);
        sub.clear();
        sub.add(55);
        System.out.println(l);
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>());
        List<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (int x : cow) {
            cow.add(x * 10);
        }
        Iterator<Integer> it = cow.iterator();
        it.next();
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println("snapshot " + cow);
        }
        StringBuilder s = new StringBuilder();
        new LinkedList<>(cow).descendingIterator().forEachRemaining(s::append);
        System.out.println(s);
    }
}
