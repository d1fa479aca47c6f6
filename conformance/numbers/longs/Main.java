package numbers.longs;

/** Long: text in every radix, parsing, bits, unsigned arithmetic. */
public class Main {
    static void parse(String s, int radix) {
        try {
            System.out.println(Long.parseLong(s, radix));
        } catch (NumberFormatException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        long[] values = {0, 1, -1, 99, 1L << 32, -(1L << 33), 1234567890123456789L, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long v : values) {
            System.out.println(v + " " + Long.toBinaryString(v) + " " + Long.toOctalString(v) + " " + Long.toHexString(v));
            System.out.println(Long.toString(v, 36) + " " + Long.toString(v, 3) + " " + Long.toUnsignedString(v));
            System.out.println(Long.bitCount(v) + " " + Long.numberOfLeadingZeros(v) + " " + Long.numberOfTrailingZeros(v)
                    + " " + Long.highestOneBit(v) + " " + Long.lowestOneBit(v) + " " + Long.reverse(v) + " "
                    + Long.reverseBytes(v) + " " + Long.rotateLeft(v, 13) + " " + Long.rotateRight(v, 77) + " "
                    + Long.signum(v) + " " + Long.hashCode(v));
            System.out.println(Long.compare(v, 5) + " " + Long.compareUnsigned(v, 5) + " " + Long.divideUnsigned(v, 10)
                    + " " + Long.remainderUnsigned(v, 10));
        }
        for (String s : new String[] {"0", "-1", "+7", "9223372036854775807", "-9223372036854775808"}) {
            parse(s, 10);
        }
        for (String s : new String[] {"", "-", "5L", "9223372036854775808", "1e3"}) {
            parse(s, 10);
        }
        parse("cafebabe", 16);
        parse("-zz", 36);
        System.out.println(Long.parseUnsignedLong("18446744073709551615") + " " + Long.parseUnsignedLong("ffffffffffffffff", 16));
        System.out.println(Long.valueOf(5).equals(5) + " " + Long.valueOf(5).equals(5L) + " " + Long.valueOf(1L << 32).hashCode());
        System.out.println(Long.decode("-0xff") + " " + Long.max(1, 2) + " " + Long.sum(1, -1) + " " + Long.MIN_VALUE);
        System.out.println(Long.valueOf(300).intValue() + " " + Long.valueOf(300).byteValue() + " " + Long.valueOf(1).doubleValue());
    }
}
