package memory.survivors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Objects that are reachable in many ways stay as they are while others come and go. */
public class Main {
    enum Colour {
        RED,
        GREEN
    }

    record Point(int x, int y) {}

    static final ThreadLocal<StringBuilder> LOCAL = ThreadLocal.withInitial(StringBuilder::new);
    static Object[][] grid = new Object[20][];
    static final Map<Object, Integer> IDENTITY = new IdentityHashMap<>();

    static int churn(int rounds) {
        int hash = 0;
        for (int round = 0; round < rounds; round++) {
            String text = "text " + round + new Point(round, -round);
            hash = 31 * hash + text.hashCode();
            Object[] objects = new Object[round % 50];
            for (int index = 0; index < objects.length; index++) {
                objects[index] = Integer.valueOf(1_000 + index);
            }
            hash += objects.length;
        }
        return hash;
    }

    static int deep(int depth, Object held) {
        if (depth == 0) {
            return churn(2_000);
        }
        Object mine = new Point(depth, depth);
        int below = deep(depth - 1, mine);
        return below + mine.hashCode() + (held == null ? 0 : held.hashCode());
    }

    static String failing(String text) {
        String kept = text + "!";
        try {
            kept = kept.concat(Integer.toString(churn(300)).substring(100));
        } catch (StringIndexOutOfBoundsException e) {
            churn(300);
            return kept;
        }
        return "none";
    }

    public static void main(String[] args) throws Exception {
        List<Supplier<String>> suppliers = new ArrayList<>();
        for (int index = 0; index < 20; index++) {
            Point point = new Point(index, index * index);
            suppliers.add(() -> "p" + point);
            grid[index] = new Object[] {point, Colour.values()[index % 2], "s" + index, new int[index]};
            IDENTITY.put(point, index);
        }
        TreeMap<String, LinkedList<Integer>> lists = new TreeMap<>();
        for (int index = 0; index < 500; index++) {
            lists.computeIfAbsent("k" + index % 7, key -> new LinkedList<>()).addFirst(index);
        }
        int[] counter = {0};
        IntSupplier counting = () -> ++counter[0];
        int hash = Object.class.cast(suppliers).getClass().getName().length();
        LOCAL.get().append("local");
        System.out.println(churn(20_000));
        System.out.println(deep(200, null));
        System.out.println(failing("text"));
        StringBuilder text = new StringBuilder();
        for (Supplier<String> supplier : suppliers) {
            text.append(supplier.get());
        }
        System.out.println(text);
        for (Object[] row : grid) {
            System.out.println(row[0] + " " + row[1] + " " + row[2] + " " + ((int[]) row[3]).length
                    + " " + IDENTITY.get(row[0]));
        }
        System.out.println(lists.keySet() + " " + lists.get("k3").subList(0, 5));
        System.out.println(counting.getAsInt() + counting.getAsInt() + " " + LOCAL.get() + hash);

        Object monitor = new Object();
        int sum;
        synchronized (monitor) {
            sum = churn(3_000);
            monitor.notifyAll();
        }
        System.out.println(sum);
        Map<Integer, int[]> arrays = new HashMap<>();
        for (int index = 0; index < 200; index++) {
            arrays.put(index, new int[] {index, churn(20)});
        }
        long total = 0;
        for (int index = 0; index < 200; index++) {
            total += arrays.get(index)[0] * 3L + arrays.get(index)[1];
        }
        System.out.println(total);
        Thread[] threads = new Thread[3];
        List<Integer> results = Collections.synchronizedList(new ArrayList<>());
        for (int index = 0; index < threads.length; index++) {
            int number = index;
            threads[index] = new Thread(() -> results.add(churn(2_000 + number)));
            threads[index].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Collections.sort(results);
        System.out.println(results);
        String interned = ("inter" + "ned".toLowerCase()).intern();
        churn(5_000);
        System.out.println(interned == "interned");
        Class<?> type = Class.forName("memory.survivors.Main$Point");
        Object made = type.getDeclaredConstructors()[0].newInstance(3, 4);
        churn(5_000);
        System.out.println(made);
        Thread hook = new Thread(() -> System.out.println("hook " + grid.length));
        Runtime.getRuntime().addShutdownHook(hook);
    }
}
