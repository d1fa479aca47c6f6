package objects.cloning;

import java.util.Arrays;

/** clone: shallow and deep, of arrays of arrays, through class hierarchies; contracts of equals. */
public final class Main {
    static class Base implements Cloneable {
        int[] data = {1, 2};
        final StringBuilder note = new StringBuilder("n");
        long wide = 1L << 40;

        @Override
        public Base clone() {
            try {
                return (Base) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Deep extends Base {
        double extra = 2.5;
        Deep next;

        @Override
        public Deep clone() {
            Deep d = (Deep) super.clone();
            d.data = data.clone();
            d.next = next == null ? null : next.clone();
            return d;
        }
    }

    static class Not {
        Object attempt() throws CloneNotSupportedException {
            return clone();
        }
    }

    static class Point {
        final int x;

        Point(int x) {
            this.x = x;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Point p && p.x == x;
        }

        @Override
        public int hashCode() {
            return x % 2;
        }
    }

    public static void main(String[] args) {
        Base b = new Base();
        Base c = b.clone();
        c.data[0] = 9;
        c.note.append("!");
        c.wide++;
        System.out.println(b.data[0] + " " + b.note + " " + b.wide + " " + c.wide);
        Deep d = new Deep();
        d.next = new Deep();
        Deep e = d.clone();
        e.data[0] = 7;
        e.next.data[1] = 8;
        e.next.extra = 0;
        System.out.println(d.data[0] + " " + d.next.data[1] + " " + d.next.extra + " " + (e.note == d.note) + " " + e.getClass().getSimpleName());
        int[][] grid = {{1, 2}, {3}};
        int[][] shallow = grid.clone();
        shallow[0][0] = 50;
        shallow[1] = new int[] {4};
        System.out.println(Arrays.deepToString(grid) + Arrays.deepToString(shallow) + (grid.clone().getClass() == int[][].class));
        try {
            new Not().attempt();
        } catch (CloneNotSupportedException x) {
            System.out.println(x.getMessage());
        }
        var set = new java.util.HashSet<Point>();
        for (int i = 0; i < 10; i++) {
            set.add(new Point(i % 6));
        }
        System.out.println(set.size() + " " + set.contains(new Point(5)) + " " + set.contains(new Point(6)) + " " + set.remove(new Point(3)) + " " + new Point(1).equals(null));
    }
}
