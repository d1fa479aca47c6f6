package algorithms.heaps;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Huffman codes and shortest paths, by priority queues. */
public final class Main {
    record Node(int weight, String letters, Node left, Node right) {}

    private static void codes(Node n, String prefix, Map<String, String> out) {
        if (n.left() == null) {
            out.put(n.letters(), prefix);
        } else {
            codes(n.left(), prefix + "0", out);
            codes(n.right(), prefix + "1", out);
        }
    }

    private static void huffman(String text) {
        Map<String, Integer> counts = new TreeMap<>();
        for (char c : text.toCharArray()) {
            counts.merge(String.valueOf(c), 1, Integer::sum);
        }
        PriorityQueue<Node> q = new PriorityQueue<>(Comparator.comparingInt(Node::weight).thenComparing(Node::letters));
        counts.forEach((c, n) -> q.add(new Node(n, c, null, null)));
        while (q.size() > 1) {
            Node a = q.poll();
            Node b = q.poll();
            q.add(new Node(a.weight() + b.weight(), a.letters() + b.letters(), a, b));
        }
        Map<String, String> out = new TreeMap<>();
        codes(q.peek(), "", out);
        StringBuilder bits = new StringBuilder();
        for (char c : text.toCharArray()) {
            bits.append(out.get(String.valueOf(c)));
        }
        System.out.println(out + "\n" + bits + " " + bits.length());
    }

    private static void paths(int[][] edges, int n) {
        long[] d = new long[n];
        java.util.Arrays.fill(d, Long.MAX_VALUE);
        d[0] = 0;
        Map<Integer, Integer> from = new HashMap<>();
        PriorityQueue<long[]> q = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
        q.add(new long[] {0, 0});
        while (!q.isEmpty()) {
            long[] top = q.poll();
            int at = (int) top[1];
            if (top[0] > d[at]) {
                continue;
            }
            for (int[] e : edges) {
                if (e[0] == at && d[at] + e[2] < d[e[1]]) {
                    d[e[1]] = d[at] + e[2];
                    from.put(e[1], at);
                    q.add(new long[] {d[e[1]], e[1]});
                }
            }
        }
        for (int i = 0; i < n; i++) {
            StringBuilder path = new StringBuilder();
            for (Integer x = i; x != null; x = from.get(x)) {
                path.insert(0, x + " ");
            }
            System.out.println(i + ": " + (d[i] == Long.MAX_VALUE ? "none" : d[i] + " by " + path));
        }
    }

    public static void main(String[] args) {
        huffman("abracadabra");
        huffman("she sells sea shells");
        paths(new int[][] {{0, 1, 7}, {0, 2, 3}, {2, 1, 1}, {1, 3, 2}, {2, 3, 8}, {3, 4, 1}, {5, 0, 1}}, 6);
    }
}
