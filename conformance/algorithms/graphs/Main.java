package algorithms.graphs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

/** Breadth and depth first search, topological order, shortest paths, union-find, components. */
public class Main {
    final TreeMap<String, TreeMap<String, Integer>> edges = new TreeMap<>();

    void edge(String from, String to, int weight) {
        edges.computeIfAbsent(from, k -> new TreeMap<>()).put(to, weight);
        edges.computeIfAbsent(to, k -> new TreeMap<>());
    }

    List<String> breadth(String start) {
        List<String> order = new ArrayList<>();
        TreeSet<String> seen = new TreeSet<>(List.of(start));
        Deque<String> queue = new ArrayDeque<>(seen);
        while (!queue.isEmpty()) {
            String n = queue.remove();
            order.add(n);
            for (String m : edges.get(n).keySet()) {
                if (seen.add(m)) queue.add(m);
            }
        }
        return order;
    }

    void depth(String n, List<String> order, TreeSet<String> seen) {
        if (!seen.add(n)) return;
        for (String m : edges.get(n).keySet()) depth(m, order, seen);
        order.add(n);
    }

    TreeMap<String, Integer> shortest(String start) {
        TreeMap<String, Integer> distance = new TreeMap<>();
        PriorityQueue<Object[]> queue = new PriorityQueue<>((a, b) -> (Integer) a[1] - (Integer) b[1]);
        queue.add(new Object[] {start, 0});
        while (!queue.isEmpty()) {
            Object[] top = queue.poll();
            if (distance.putIfAbsent((String) top[0], (Integer) top[1]) != null) continue;
            edges.get(top[0]).forEach((to, w) -> queue.add(new Object[] {to, (Integer) top[1] + w}));
        }
        return distance;
    }

    static int find(int[] parent, int i) {
        return parent[i] == i ? i : (parent[i] = find(parent, parent[i]));
    }

    static final int FAR = Integer.MAX_VALUE / 2;

    public static void main(String[] args) {
        Main g = new Main();
        g.edge("a", "b", 7);
        g.edge("a", "c", 3);
        g.edge("c", "b", 1);
        g.edge("b", "d", 2);
        g.edge("c", "d", 8);
        g.edge("d", "e", 4);
        g.edge("f", "e", 1);
        System.out.println(g.breadth("a") + " " + g.breadth("f"));
        List<String> order = new ArrayList<>();
        TreeSet<String> seen = new TreeSet<>();
        for (String n : g.edges.keySet()) g.depth(n, order, seen);
        java.util.Collections.reverse(order);
        System.out.println(order);
        System.out.println(g.shortest("a") + " " + g.shortest("e"));
        int[] parent = new int[10];
        Arrays.setAll(parent, i -> i);
        int[][] joins = {{1, 2}, {3, 4}, {2, 3}, {5, 6}, {9, 9}, {6, 0}};
        for (int[] j : joins) parent[find(parent, j[0])] = find(parent, j[1]);
        for (int i = 0; i < 10; i++) System.out.print(find(parent, i) + " ");
        System.out.println();
        int[][] d = new int[5][5];
        for (int[] row : d) Arrays.fill(row, FAR);
        int[][] roads = {{0, 1, 4}, {1, 2, -2}, {2, 3, 3}, {0, 3, 9}, {3, 0, 1}};
        for (int[] r : roads) d[r[0]][r[1]] = r[2];
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++)
                    if (d[i][k] < FAR && d[k][j] < FAR) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
        for (int[] row : d) {
            for (int x : row) System.out.print((x >= FAR ? "-" : x) + " ");
            System.out.println();
        }
    }
}
