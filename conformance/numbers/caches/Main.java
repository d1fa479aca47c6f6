package numbers.caches;

/** Boxes at the borders of their caches, hashes and comparisons of boxes. */
public final class Main {
    private static boolean same(Object a, Object b) {
        return a == b;
    }

    public static void main(String[] args) {
        for (int i : new int[] {-129, -128, -1, 0, 127, 128, 1000}) {
            System.out.println(i + " " + same(i, i) + " " + same((long) i, (long) i) + " " + same((short) i, (short) i) + " " + same((byte) i, (byte) i)
                    + " " + same(Integer.valueOf(i), Integer.valueOf("" + i)) + " " + same((float) i, (float) i) + " " + ((Integer) i).equals(i) + " " + Long.valueOf(i).equals(i));
        }
        for (char c : new char[] {0, 127, 128, 255}) {
            System.out.println((int) c + " " + same(c, c) + " " + Character.valueOf(c).hashCode() + " " + Character.valueOf(c).compareTo('a'));
        }
        System.out.println(same(true, Boolean.TRUE) + " " + same(Boolean.valueOf("no"), false) + " " + Boolean.hashCode(true) + " " + Boolean.compare(true, false) + " " + Boolean.logicalXor(true, true));
        System.out.println(Long.hashCode(1L << 32) + " " + Double.hashCode(0.1) + " " + Float.hashCode(-0.0f) + " " + Byte.hashCode((byte) -1) + " " + Short.hashCode((short) -5));
        System.out.println(Integer.compare(1, 2) + " " + Byte.compare((byte) 1, (byte) -1) + " " + Short.compare((short) 5, (short) 2) + " " + Character.compare('a', 'c') + " " + Long.compare(5, 5));
        Object[] all = {1, 1L, 1f, 1.0, (short) 1, (byte) 1, 'a', true};
        for (Object a : all) {
            StringBuilder b = new StringBuilder(a.getClass().getSimpleName());
            for (Object o : all) {
                b.append(a.equals(o) ? " =" : " .");
            }
            System.out.println(b + (a instanceof Number n ? " " + n.intValue() + n.doubleValue() + n.byteValue() : ""));
        }
    }
}
