package numbers.boxing;

/** Boxing caches, identity against equality, and unboxing in every place it happens. */
public class Main {
    static Integer field;

    static long unboxAndWiden(Integer i) {
        return i;
    }

    static Object box(boolean z, byte b, char c, short s, int i, long l, float f, double d) {
        Object[] all = {z, b, c, s, i, l, f, d};
        StringBuilder sb = new StringBuilder();
        for (Object o : all) {
            sb.append(o.getClass().getSimpleName()).append('=').append(o).append(' ');
        }
        return sb;
    }

    public static void main(String[] args) {
        for (int i : new int[] {-129, -128, -1, 0, 127, 128}) {
            Integer a = i, b = i;
            Long c = (long) i, d = (long) i;
            Short e = (short) i, f = (short) i;
            System.out.println(i + " " + (a == b) + (c == d) + (e == f) + " " + a.equals(b) + c.equals(d) + " " + a.equals(c));
        }
        Character c1 = '\u007f', c2 = '\u007f', c3 = '\u0080', c4 = '\u0080';
        System.out.println((c1 == c2) + " " + (c3 == c4));
        Byte b1 = -100, b2 = -100;
        Boolean t1 = true, t2 = Boolean.valueOf("TRUE");
        System.out.println((b1 == b2) + " " + (t1 == t2) + " " + (Boolean.TRUE == t1));
        Double d1 = 1.0, d2 = 1.0;
        System.out.println((d1 == d2) + " " + d1.equals(d2) + " " + (d1 <= d2) + " " + d1.compareTo(d2));
        System.out.println(box(true, (byte) 1, 'c', (short) 2, 3, 4, 5, 6));
        Integer i = 10;
        i += 5;
        i++;
        int j = i * 2;
        System.out.println(i + " " + j + " " + unboxAndWiden(i) + " " + (i > 15 ? i : j));
        Integer[] array = {1, 2, 3};
        array[1] += array[2]++;
        System.out.println(array[1] + " " + array[2]);
        int sum = 0;
        for (Integer x : array) sum += x;
        System.out.println(sum);
        try {
            int bad = field;
        } catch (NullPointerException e) {
            System.out.println("null unboxed");
        }
        Number n = 5.75f;
        System.out.println(n.intValue() + " " + n.doubleValue() + " " + n.byteValue() + " " + n);
        Object o = 'x';
        System.out.println((char) o + 1 + " " + (o instanceof Character) + " " + o.equals('x') + " " + o.hashCode());
        System.out.println(new java.util.ArrayList<>(java.util.Arrays.asList(1, 2, 3)).remove(Integer.valueOf(3)));
        System.out.println(Integer.valueOf(77).hashCode() + " " + Boolean.hashCode(true) + " " + Character.valueOf('a').compareTo('c'));
        System.out.println(Integer.valueOf(1).equals((short) 1) + " " + Boolean.logicalXor(true, t1) + " " + Boolean.parseBoolean("yes"));
    }
}
