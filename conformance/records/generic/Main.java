package records.generic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records with every kind of component, generic and nested ones, compact constructors. */
public final class Main {
    record All(boolean z, byte b, short h, char c, int i, long j, float f, double d, String s, int[] a) {}

    record Node<T extends Comparable<T>>(T value, Node<T> left, Node<T> right) {
        Node<T> add(T v) {
            int c = v.compareTo(value);
            return c == 0 ? this : c < 0
                    ? new Node<>(value, left == null ? new Node<>(v, null, null) : left.add(v), right)
                    : new Node<>(value, left, right == null ? new Node<>(v, null, null) : right.add(v));
        }

        void walk(List<T> out) {
            if (left != null) {
                left.walk(out);
            }
            out.add(value);
            if (right != null) {
                right.walk(out);
            }
        }
    }

    record Range(int lo, int hi) implements Comparable<Range> {
        static final Range EMPTY = new Range(0, 0);

        Range {
            if (lo > hi) {
                throw new IllegalArgumentException(lo + ">" + hi);
            }
        }

        Range(int n) {
            this(0, n);
        }

        @Override
        public int compareTo(Range o) {
            return Integer.compare(hi - lo, o.hi - o.lo);
        }

        @Override
        public String toString() {
            return lo + ".." + hi;
        }
    }

    record Empty() {}

    public static void main(String[] args) {
        int[] a = {1};
        All x = new All(true, (byte) -1, (short) 2, 'c', 4, 5L, -0.0f, Double.NaN, null, a);
        All y = new All(true, (byte) -1, (short) 2, 'c', 4, 5L, 0.0f, Double.NaN, null, a);
        System.out.println(x.toString().replaceAll("@[0-9a-f]+", "@") + " " + x.equals(y) + " " + x.equals(new All(true, (byte) -1, (short) 2, 'c', 4, 5L, -0.0f, 0.0 / 0, null, a)));
        Node<String> t = new Node<>("m", null, null);
        for (String s : "q d x a p m".split(" ")) {
            t = t.add(s);
        }
        List<String> out = new ArrayList<>();
        t.walk(out);
        System.out.println(out + " " + t + " " + t.hashCode() + " " + t.equals(t.add("a")));
        System.out.println(new Range(3).compareTo(new Range(1, 2)) + " " + new Range(1, 2) + " " + Range.EMPTY.equals(new Range(0)) + " " + new Range(1, 2).hashCode());
        try {
            new Range(2, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Map<Object, String> m = new HashMap<>();
        m.put(new Empty(), "first");
        m.put(new Empty(), "second");
        m.put(new Range(5), "five");
        System.out.println(m.size() + " " + m.get(new Empty()) + " " + m.get(new Range(0, 5)) + " " + new Empty() + new Empty().hashCode());
    }
}
