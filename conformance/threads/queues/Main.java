package threads.queues;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Concurrent collections used from one thread. */
public class Main {
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Integer> array = new ArrayBlockingQueue<>(2);
        System.out.println(array.offer(1) + " " + array.offer(2) + " " + array.offer(3) + " " + array.remainingCapacity() + " " + array.poll() + array);
        try {
            array.add(8);
            array.add(9);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        LinkedBlockingQueue<String> linked = new LinkedBlockingQueue<>(List.of("a", "b", "c"));
        List<String> drained = new ArrayList<>();
        System.out.println(linked.take() + " " + linked.drainTo(drained, 1) + " " + drained + " " + linked.contains("c") + " " + linked.remove("q"));
        LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>();
        deque.addFirst(1);
        deque.addLast(2);
        deque.push(0);
        System.out.println(deque + " " + deque.pollLast() + " " + deque.peekFirst() + " " + deque.pollFirst(1, TimeUnit.MILLISECONDS));
        PriorityBlockingQueue<String> priorities = new PriorityBlockingQueue<>(4, Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        priorities.addAll(List.of("ccc", "a", "bb", "b", "dddd"));
        StringBuilder out = new StringBuilder();
        while (!priorities.isEmpty()) out.append(priorities.poll()).append(' ');
        System.out.println(out);
        ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>(List.of(4, 5, 6));
        Iterator<Integer> it = free.iterator();
        it.next();
        it.remove();
        free.add(7);
        System.out.println(free + " " + free.size() + " " + free.remove(6) + " " + free.peek());
        ConcurrentLinkedDeque<Integer> ends = new ConcurrentLinkedDeque<>(List.of(1, 2, 3));
        ends.addFirst(0);
        ends.removeLastOccurrence(2);
        System.out.println(ends + " " + ends.pollLast() + " " + ends.descendingIterator().next());
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 60; i++) skip.put(i * 7 % 60, "v" + i);
        System.out.println(skip.firstKey() + " " + skip.ceilingEntry(31) + " " + skip.headMap(4) + " " + skip.descendingMap().firstEntry() + " " + skip.size());
        System.out.println(skip.merge(3, "+", String::concat) + " " + skip.pollFirstEntry() + " " + skip.subMap(10, true, 12, true) + " " + skip.remove(59, "no"));
        ConcurrentSkipListSet<String> words = new ConcurrentSkipListSet<>(List.of("x", "k", "m"));
        System.out.println(words + " " + words.lower("m") + " " + words.descendingSet() + " " + words.pollLast());
        CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (int x : copied) copied.add(x * 10);
        System.out.println(copied + " " + copied.addIfAbsent(10) + " " + copied.removeIf(x -> x < 3));
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 100; i++) map.merge("k" + i % 10, i, Integer::sum);
        System.out.println(map.reduceValues(1000, Integer::sum) + " " + map.search(1000, (k, v) -> v == 480 ? k : null) + " " + map.computeIfPresent("k1", (k, v) -> null)
                + " " + map.mappingCount() + " " + map.getOrDefault("k1", -1) + " " + map.replace("k2", 470, 1));
        try {
            map.put("n", null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
    }
}
