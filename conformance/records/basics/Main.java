package records.basics;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Records: generated accessors, equals, hashCode, toString; compact constructors; nesting. */
public class Main {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < 0) throw new IllegalArgumentException("x=" + x);
        }

        Point(int both) {
            this(both, both);
        }

        double distance() {
            return Math.sqrt(x * x + y * y);
        }
    }

    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, int[] a) { }

    record Empty() { }

    record Pair<A, B>(A first, B second) {
        static <T> Pair<T, T> twin(T t) {
            return new Pair<>(t, t);
        }
    }

    record Named(String name) implements Comparable<Named> {
        public String name() {
            return name.toUpperCase();
        }

        @Override
        public int compareTo(Named o) {
            return name.compareTo(o.name);
        }
    }

    record Defensive(List<Integer> list) {
        Defensive(List<Integer> list) {
            this.list = List.copyOf(list);
        }

        @Override
        public String toString() {
            return "list of " + list.size();
        }
    }

    public static void main(String[] args) {
        Point p = new Point(3, 4), q = new Point(3, 4);
        System.out.println(p + " " + p.x() + " " + p.y() + " " + p.distance() + " " + Point.ORIGIN + new Point(5));
        System.out.println(p.equals(q) + " " + (p == q) + " " + (p.hashCode() == q.hashCode()) + " " + p.equals(null) + " " + p.equals("x"));
        System.out.println(p.hashCode() + " " + new Point(1, 0).hashCode() + " " + new Empty().hashCode() + " " + new Named("n").hashCode());
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int[] array = {1};
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "t", array);
        All b = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "t", array);
        All c = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "t", new int[] {1});
        System.out.println(a.equals(b) + " " + a.equals(c) + " " + (a.hashCode() == b.hashCode()) + " " + a.toString().startsWith("All[z=true, b=1, c=c, s=2, i=3, l=4, f=5.0, d=6.0, t=t, a=[I@"));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + Pair.twin(null) + " " + Pair.twin(null).hashCode());
        System.out.println(new Pair<>(p, new Pair<>("in", 2L)) + " " + new Pair<>(1, 2).equals(new Pair<>(1, 2)) + " " + new Pair<>(1, 2).equals(new Pair<>(1, 2L)));
        System.out.println(new Named("low") + " " + new Named("low").name() + " " + new Named("a").compareTo(new Named("b")));
        System.out.println(new Defensive(List.of(1, 2)) + " " + new Defensive(List.of(1)).equals(new Defensive(List.of(1))));
        record Local(double d, float f) { }
        System.out.println(new Local(0.0, 1).equals(new Local(-0.0, 1)) + " " + new Local(Double.NaN, Float.NaN).equals(new Local(Double.NaN, Float.NaN)));
        Set<Object> set = new HashSet<>(List.of(p, new Local(1, 1), new Empty()));
        System.out.println(set.contains(q) + " " + set.contains(new Local(1, 1)) + " " + set.contains(new Local(1, 2)));
        System.out.println(p.getClass().isRecord() + " " + (p instanceof Record) + " " + p.getClass().getSuperclass() + " " + Objects.hash(p.x(), p.y()));
    }
}
