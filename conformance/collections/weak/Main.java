package collections.weak;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.WeakHashMap;

/** Weak and identity maps, references, queues of priorities. */
public class Main {
    public static void main(String[] args) {
        Map<Object, String> identities = new IdentityHashMap<>();
        String a = new String("k");
        String b = new String("k");
        identities.put(a, "first");
        identities.put(b, "second");
        System.out.println(identities.size() + identities.get(a) + identities.get("k"));
        WeakHashMap<Object, Integer> weak = new WeakHashMap<>();
        weak.put(a, 1);
        weak.put(b, 2);
        System.out.println(weak.size() + " " + weak.get("k"));
        WeakReference<String> reference = new WeakReference<>(a);
        SoftReference<String> soft = new SoftReference<>(b);
        System.out.println(reference.get() == a && soft.get() == b);
        reference.clear();
        System.out.println(reference.get() + " " + reference.refersTo(null));
        PriorityQueue<String> queue = new PriorityQueue<>(Comparator.comparing(String::length).reversed());
        Collections.addAll(queue, "a", "ccc", "bb", "dddd");
        System.out.println(queue.peek() + queue.size());
        StringBuilder text = new StringBuilder();
        while (!queue.isEmpty()) {
            text.append(queue.poll()).append(' ');
        }
        System.out.println(text);
        EnumMap<Thread.State, Integer> states = new EnumMap<>(Thread.State.class);
        states.put(Thread.State.WAITING, 1);
        states.put(Thread.State.NEW, 2);
        System.out.println(states + " " + EnumSet.range(Thread.State.NEW, Thread.State.BLOCKED));
        System.out.println(EnumSet.complementOf(EnumSet.of(Thread.State.NEW)).size());
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        deque.addFirst(0);
        deque.removeLastOccurrence(2);
        System.out.println(deque + " " + deque.pollLast() + deque.peekFirst());
    }
}
