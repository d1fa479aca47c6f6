package collections.priorities;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** PriorityQueue: heap order, comparators, removal, its inner array order when printed. */
public class Main {
    static class Task {
        final String name;
        final int priority;

        Task(String name, int priority) {
            this.name = name;
            this.priority = priority;
        }

        @Override
        public String toString() {
            return name + ":" + priority;
        }
    }

    public static void main(String[] args) {
        PriorityQueue<Integer> q = new PriorityQueue<>();
        for (int i = 0; i < 20; i++) {
            q.add(i * 13 % 20);
        }
        System.out.println(q + " " + q.size() + " " + q.peek());
        System.out.println(q.remove(7) + " " + q.remove(70) + " " + q.contains(8) + " " + q);
        StringBuilder sb = new StringBuilder();
        while (!q.isEmpty()) {
            sb.append(q.poll()).append(' ');
        }
        System.out.println(sb + " " + q.poll() + " " + q.peek());
        PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingInt((Task t) -> -t.priority).thenComparing(t -> t.name));
        String[] names = {"write", "read", "sleep", "eat", "walk", "code"};
        for (int i = 0; i < names.length; i++) {
            tasks.offer(new Task(names[i], i % 3));
        }
        List<Task> order = new ArrayList<>();
        while (tasks.size() > 1) {
            order.add(tasks.remove());
        }
        System.out.println(order + " " + tasks);
        PriorityQueue<String> reverse = new PriorityQueue<>(Collections.reverseOrder());
        Collections.addAll(reverse, names);
        reverse.removeIf(s -> s.startsWith("w"));
        System.out.println(reverse);
        PriorityQueue<Integer> heapified = new PriorityQueue<>(List.of(9, 4, 7, 1, 8, 2));
        System.out.println(heapified);
        try {
            reverse.add(null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        try {
            new PriorityQueue<Integer>().element();
        } catch (java.util.NoSuchElementException e) {
            System.out.println("empty");
        }
    }
}
