package memory.garbage;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Programs that allocate many times what they hold. */
public class Main {
    static final class Node {
        final Node left;
        final Node right;

        Node(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        int count() {
            return left == null ? 1 : 1 + left.count() + right.count();
        }
    }

    static Node tree(int depth) {
        return depth == 0 ? new Node(null, null) : new Node(tree(depth - 1), tree(depth - 1));
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] block = new byte[1 << 20];
            block[round] = (byte) round;
            sum += block[round] + block[round + 1];
        }
        System.out.println("blocks " + sum);

        Node kept = tree(10);
        int nodes = 0;
        for (int round = 0; round < 40; round++) {
            nodes += tree(8).count();
        }
        System.out.println("trees " + nodes + " " + kept.count());

        ArrayDeque<long[]> window = new ArrayDeque<>();
        long checksum = 0;
        for (int round = 0; round < 2_000; round++) {
            long[] values = new long[10_000 + round];
            values[0] = round;
            values[values.length - 1] = 2L * round;
            window.addLast(values);
            if (window.size() > 20) {
                long[] oldest = window.removeFirst();
                checksum += oldest[0] + oldest[oldest.length - 1] + oldest.length;
            }
        }
        System.out.println("window " + checksum + " " + window.size());

        Map<Integer, String> names = new HashMap<>();
        for (int round = 0; round < 60_000; round++) {
            names.put(round % 1_000, "name " + round);
        }
        int length = 0;
        for (String name : names.values()) {
            length += name.length();
        }
        System.out.println("names " + names.size() + " " + length);
    }
}
