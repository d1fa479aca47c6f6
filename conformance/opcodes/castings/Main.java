package opcodes.castings;

/** checkcast and instanceof over classes, interfaces and arrays of both. */
public final class Main {
    interface Shape {}

    interface Round extends Shape {}

    static class Circle implements Round {}

    static final class Disc extends Circle implements Comparable<Disc> {
        public int compareTo(Disc o) {
            return 0;
        }
    }

    private static String tests(Object o) {
        return "" + bit(o instanceof Shape) + bit(o instanceof Round) + bit(o instanceof Circle) + bit(o instanceof Disc)
                + bit(o instanceof Comparable) + bit(o instanceof Object[]) + bit(o instanceof Shape[]) + bit(o instanceof Circle[])
                + bit(o instanceof int[]) + bit(o instanceof int[][]) + bit(o instanceof Object[][]) + bit(o instanceof Cloneable)
                + bit(o instanceof java.io.Serializable) + bit(o instanceof Cloneable[]) + bit(o instanceof Object);
    }

    private static int bit(boolean b) {
        return b ? 1 : 0;
    }

    private static void cast(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " fine");
        } catch (ClassCastException e) {
            System.out.println(what + " fails");
        } catch (ArrayStoreException e) {
            System.out.println(what + " store " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object[] all = {new Circle(), new Disc(), new Circle[1], new Disc[0], new Shape[2], new int[1], new int[1][1],
            new int[1][], new Object[0], new Object[0][0], new Disc[1][1], "s", 1, null, new String[][] {{"a"}}};
        for (Object o : all) {
            System.out.println(tests(o));
        }
        for (int k = 0; k < all.length; k++) {
            Object o = all[k];
            cast("Circle " + k, () -> { Circle c = (Circle) o; });
            cast("Comparable " + k, () -> { Comparable<?> c = (Comparable<?>) o; });
            cast("Shape[] " + k, () -> { Shape[] c = (Shape[]) o; });
            cast("int[] " + k, () -> { int[] c = (int[]) o; });
            cast("Object[][] " + k, () -> { Object[][] c = (Object[][]) o; });
        }
        Object[] discs = new Disc[2];
        cast("store disc", () -> discs[0] = new Disc());
        cast("store null", () -> discs[0] = null);
        cast("store circle", () -> discs[0] = new Circle());
        Object[] rows = new int[2][];
        cast("store row", () -> rows[1] = new int[3]);
        cast("store long row", () -> rows[1] = new long[3]);
    }
}
