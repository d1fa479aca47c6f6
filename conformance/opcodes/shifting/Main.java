package opcodes.shifting;

/** Shifts by negative and large counts, on fields, arrays and expressions, of all widths. */
public final class Main {
    private static int field = 0x12345678;
    private long wide = 0x123456789abcdef0L;

    public static void main(String[] args) {
        Main m = new Main();
        int[] counts = {0, 1, 31, 32, 33, 63, 64, 65, -1, -31, -32, -33, -64, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int c : counts) {
            System.out.println(c + ": " + (field << c) + " " + (field >> c) + " " + (field >>> c) + " " + (-field >> c) + " " + (-field >>> c)
                    + " " + (m.wide << c) + " " + (m.wide >> c) + " " + (m.wide >>> c) + " " + (-m.wide >> c) + " " + (-m.wide >>> c)
                    + " " + (1 << (long) c) + " " + (1L << (byte) c) + " " + ((byte) c << c) + " " + ((char) c >>> c));
        }
        int[] a = {-1, 1};
        long[] l = {-1, 1};
        a[0] >>>= 28;
        a[1] <<= 40L;
        l[0] >>>= 28;
        l[1] <<= 40;
        System.out.println(a[0] + " " + a[1] + " " + l[0] + " " + l[1]);
        System.out.println((5 & 6 | 1 ^ 3) + " " + (~5 & 0xff) + " " + (5L & -6 | 1) + " " + (true ^ false | false & true) + " " + (-7 / 2) + " " + (-7 % 2) + " " + (7 % -2) + " " + (-7 >> 1) + " " + (Integer.MIN_VALUE / -1) + " " + (Integer.MIN_VALUE % -1) + " " + (Long.MIN_VALUE / -1) + " " + (5.5 % -2) + " " + (-5.5f % 2));
    }
}
