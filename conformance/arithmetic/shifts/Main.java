package arithmetic.shifts;

/** Shift distances are masked to 5 bits for int and 6 bits for long. */
public class Main {
    static int[] distances = {0, 1, 5, 31, 32, 33, 63, 64, 65, -1, -31, -32, Integer.MIN_VALUE};

    public static void main(String[] args) {
        int[] ints = {1, -1, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE};
        long[] longs = {1L, -1L, 0x123456789abcdef0L, Long.MIN_VALUE, Long.MAX_VALUE};
        for (int d : distances) {
            System.out.println("distance " + d);
            for (int x : ints) {
                System.out.println(x + " " + (x << d) + " " + (x >> d) + " " + (x >>> d));
            }
            for (long x : longs) {
                System.out.println(x + " " + (x << d) + " " + (x >> d) + " " + (x >>> d));
            }
        }
        long wide = 33L + (1L << 40);
        System.out.println(ints[2] << wide);
        System.out.println(longs[2] >>> wide);
        byte b = (byte) 0x90;
        System.out.println((b >> 2) + " " + (b >>> 2) + " " + ((b & 0xff) >>> 2));
        b >>>= 2;
        System.out.println(b);
        short s = -2;
        s >>>= 1;
        System.out.println(s);
        char c = '\uffff';
        c >>= 4;
        System.out.println((int) c);
        c <<= 8;
        System.out.println((int) c);
    }
}
