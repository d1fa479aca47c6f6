package collections.linkedlists;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.ListIterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;

/** LinkedList and ArrayDeque as list, queue and stack; list iterators. */
public class Main {
    static void deque(Deque<String> d) {
        System.out.println(d.getClass().getSimpleName() + " " + d.peek() + " " + d.poll() + " " + d.pollLast());
        d.add("b");
        d.addFirst("a");
        d.offerLast("c");
        d.push("pushed");
        System.out.println(d + " " + d.size() + " " + d.getFirst() + " " + d.getLast() + " " + d.peekLast());
        System.out.println(d.pop() + d.removeLast() + d.element() + d.contains("b"));
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 0) d.addFirst("f" + i);
            else d.addLast("l" + i);
            if (i % 5 == 0) d.pollFirst();
        }
        System.out.println(d);
        System.out.println(d.removeFirstOccurrence("l20") + " " + d.removeLastOccurrence("none") + " " + d.remove("a"));
        Iterator<String> it = d.descendingIterator();
        StringBuilder sb = new StringBuilder();
        while (it.hasNext()) {
            String s = it.next();
            if (s.endsWith("1")) it.remove();
            else sb.append(s).append(' ');
        }
        System.out.println(sb);
        d.clear();
        try {
            d.pop();
        } catch (NoSuchElementException e) {
            System.out.println("empty");
        }
        try {
            d.getFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty again");
        }
    }

    public static void main(String[] args) {
        deque(new LinkedList<>());
        deque(new ArrayDeque<>());
        deque(new ArrayDeque<>(3));
        List<Integer> l = new LinkedList<>();
        for (int i = 0; i < 8; i++) {
            l.add(i / 2, i);
        }
        System.out.println(l + " " + l.get(5) + " " + l.remove(3) + " " + l.indexOf(7));
        ListIterator<Integer> it = l.listIterator(2);
        it.add(50);
        System.out.println(it.next() + " " + it.nextIndex() + " " + it.previous() + " " + it.previousIndex());
        it.set(60);
        it.next();
        it.next();
        it.remove();
        System.out.println(l);
        while (it.hasPrevious()) {
            System.out.print(it.previous() + " ");
        }
        System.out.println();
        try {
            it.set(1);
            it.remove();
            it.remove();
        } catch (IllegalStateException e) {
            System.out.println("illegal state " + l);
        }
        Queue<Integer> q = new LinkedList<>(l);
        int sum = 0;
        while (!q.isEmpty()) {
            sum += q.remove();
        }
        System.out.println(sum + " " + q + " " + l.equals(List.of(1)) + " " + l.hashCode());
        try {
            new ArrayDeque<>().add(null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
    }
}
