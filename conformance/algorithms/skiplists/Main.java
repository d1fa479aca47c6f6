package algorithms.skiplists;

import java.util.Random;

/** A skip list with a seeded random source, and an interval tree built by insertion. */
public final class Main {
    static final class Node {
        final int key;
        final Node[] next;

        Node(int key, int levels) {
            this.key = key;
            next = new Node[levels];
        }
    }

    static final class Interval {
        final int lo;
        final int hi;
        int max;
        Interval left;
        Interval right;

        Interval(int lo, int hi) {
            this.lo = lo;
            this.hi = max = hi;
        }

        static Interval add(Interval t, int lo, int hi) {
            if (t == null) {
                return new Interval(lo, hi);
            }
            if (lo < t.lo) {
                t.left = add(t.left, lo, hi);
            } else {
                t.right = add(t.right, lo, hi);
            }
            t.max = Math.max(t.max, hi);
            return t;
        }

        static void at(Interval t, int x, StringBuilder out) {
            if (t == null || t.max < x) {
                return;
            }
            at(t.left, x, out);
            if (t.lo <= x && x <= t.hi) {
                out.append('[').append(t.lo).append(',').append(t.hi).append(']');
            }
            if (x >= t.lo) {
                at(t.right, x, out);
            }
        }
    }

    public static void main(String[] args) {
        Random random = new Random(99);
        Node head = new Node(Integer.MIN_VALUE, 6);
        for (int i = 0; i < 30; i++) {
            int key = i * 13 % 29;
            int levels = 1;
            while (levels < 6 && random.nextBoolean()) {
                levels++;
            }
            Node n = new Node(key, levels);
            Node at = head;
            for (int l = 5; l >= 0; l--) {
                while (at.next[l] != null && at.next[l].key < key) {
                    at = at.next[l];
                }
                if (l < levels) {
                    n.next[l] = at.next[l];
                    at.next[l] = n;
                }
            }
        }
        for (int l = 5; l >= 0; l--) {
            for (Node n = head.next[l]; n != null; n = n.next[l]) {
                System.out.print(n.key + " ");
            }
            System.out.println();
        }
        Interval t = null;
        for (int[] i : new int[][] {{15, 20}, {10, 30}, {17, 19}, {5, 20}, {12, 15}, {30, 40}}) {
            t = Interval.add(t, i[0], i[1]);
        }
        for (int x = 0; x <= 45; x += 5) {
            StringBuilder b = new StringBuilder();
            Interval.at(t, x, b);
            System.out.println(x + " " + b);
        }
    }
}
