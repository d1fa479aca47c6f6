package threads.maps;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Concurrent collections used by one thread. */
public class Main {
    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
        for (String s : "one two three two one two".split(" ")) m.merge(s, 1, Integer::sum);
        System.out.println(m + " " + m.size() + " " + m.getOrDefault("four", 0) + " " + m.putIfAbsent("one", 9) + " " + m.mappingCount());
        System.out.println(m.computeIfAbsent("four", String::length) + " " + m.computeIfPresent("two", (k, v) -> null) + " " + m.compute("one", (k, v) -> v * 10) + " " + m.containsKey("two"));
        for (String k : m.keySet()) {
            if (k.length() > 3) m.remove(k);
            m.put("added", 1);
        }
        System.out.println(m + " " + m.replace("one", 20, 21) + " " + m.remove("one", 21) + " " + m.reduceValues(100, Integer::sum));
        try {
            m.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
        ConcurrentHashMap<Integer, Integer> big = new ConcurrentHashMap<>();
        for (int i = 0; i < 500; i++) big.put(i * 3, i);
        long sum = 0;
        for (int v : big.values()) sum += v;
        System.out.println(big.size() + " " + sum + " " + big.get(600) + " " + big.containsValue(499));
        CopyOnWriteArrayList<Integer> l = new CopyOnWriteArrayList<>(new Integer[] {1, 2, 3});
        for (int i : l) l.add(i * 10);
        Iterator<Integer> snapshot = l.iterator();
        l.remove(0);
        System.out.println(l + " " + snapshot.next() + " " + l.addIfAbsent(30) + " " + l.addIfAbsent(5));
        ConcurrentSkipListMap<String, Integer> skip = new ConcurrentSkipListMap<>();
        for (String s : "d b a c".split(" ")) skip.put(s, s.charAt(0) - 'a');
        System.out.println(skip + " " + skip.firstKey() + " " + skip.headMap("c") + " " + skip.ceilingEntry("bb"));
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
        q.add(1);
        q.offer(2);
        System.out.println(q.poll() + " " + q + " " + q.peek() + " " + q.size());
    }
}
