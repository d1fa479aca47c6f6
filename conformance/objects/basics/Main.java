package objects.basics;

/** toString, equals, hashCode and getClass of plain and overriding objects. */
public class Main {
    static class Point implements Comparable<Point> {
        final int x, y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Point p && p.x == x && p.y == y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }

        @Override
        public String toString() {
            return "(" + x + "," + y + ")";
        }

        @Override
        public int compareTo(Point o) {
            return x != o.x ? Integer.compare(x, o.x) : Integer.compare(y, o.y);
        }
    }

    static class Hashed {
        @Override
        public int hashCode() {
            return 0xcafe;
        }
    }

    static class Copy implements Cloneable {
        int[] data = {1, 2};
        int n = 3;

        Copy copy() throws CloneNotSupportedException {
            return (Copy) super.clone();
        }
    }

    static class NoCopy {
        Object copy() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    public static void main(String[] args) throws Exception {
        Point p = new Point(1, 2), q = new Point(1, 2), r = new Point(0, 9);
        System.out.println(p.equals(q) + " " + (p == q) + " " + p.equals(null) + " " + p.equals("(1,2)"));
        System.out.println(p.hashCode() == q.hashCode());
        System.out.println(p + " " + q + " " + p.compareTo(r) + " " + r.compareTo(p) + " " + p.compareTo(q));
        System.out.println(new Hashed());
        System.out.println(new Hashed().equals(new Hashed()));
        Object o = new Object();
        System.out.println(o.equals(o) + " " + (o.hashCode() == o.hashCode()) + " " + (System.identityHashCode(o) == o.hashCode()));
        System.out.println(o.toString().startsWith("java.lang.Object@"));
        System.out.println(System.identityHashCode(null));
        System.out.println(p.getClass() + " " + p.getClass().getName() + " " + p.getClass().getSimpleName());
        System.out.println(p.getClass() == Point.class);
        Copy a = new Copy();
        Copy b = a.copy();
        b.data[0] = 50;
        b.n = 4;
        System.out.println(a.data[0] + " " + a.n + " " + b.n + " " + (a.data == b.data));
        try {
            new NoCopy().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Main.class.getName() + " " + int.class + " " + void.class.getName() + " " + String[].class);
    }
}
