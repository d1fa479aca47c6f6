package numbers.bittricks;

/** Bits of Integer and Long: counts, rotations, reversals, unsigned arithmetic, text in radices. */
public final class Main {
    public static void main(String[] args) {
        for (int x : new int[] {0, 1, -1, 8, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x00ff00ff}) {
            System.out.println(x + ": " + Integer.bitCount(x) + " " + Integer.highestOneBit(x) + " " + Integer.lowestOneBit(x)
                    + " " + Integer.numberOfLeadingZeros(x) + " " + Integer.numberOfTrailingZeros(x)
                    + " " + Integer.reverse(x) + " " + Integer.reverseBytes(x)
                    + " " + Integer.rotateLeft(x, 5) + " " + Integer.rotateRight(x, 37) + " " + Integer.signum(x));
            System.out.println(Integer.toBinaryString(x) + " " + Integer.toOctalString(x) + " " + Integer.toHexString(x)
                    + " " + Integer.toString(x, 36) + " " + Integer.toUnsignedString(x) + " " + Integer.toUnsignedString(x, 7));
            System.out.println(Integer.divideUnsigned(x, 10) + " " + Integer.remainderUnsigned(x, 10)
                    + " " + Integer.compareUnsigned(x, 100) + " " + Integer.toUnsignedLong(x));
        }
        for (long x : new long[] {0, 1, -1, 1L << 40, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123456789abcdefL}) {
            System.out.println(x + ": " + Long.bitCount(x) + " " + Long.highestOneBit(x) + " " + Long.lowestOneBit(x)
                    + " " + Long.numberOfLeadingZeros(x) + " " + Long.numberOfTrailingZeros(x)
                    + " " + Long.reverse(x) + " " + Long.reverseBytes(x)
                    + " " + Long.rotateLeft(x, 13) + " " + Long.rotateRight(x, -3) + " " + Long.signum(x));
            System.out.println(Long.toBinaryString(x) + " " + Long.toOctalString(x) + " " + Long.toHexString(x)
                    + " " + Long.toString(x, 36) + " " + Long.toUnsignedString(x) + " " + Long.toUnsignedString(x, 11));
            System.out.println(Long.divideUnsigned(x, 10) + " " + Long.remainderUnsigned(x, 10) + " " + Long.compareUnsigned(x, 5) + " " + Long.hashCode(x));
        }
        System.out.println(Integer.parseInt("-7f", 16) + " " + Integer.parseUnsignedInt("4294967295") + " " + Long.parseLong("zz", 36)
                + " " + Long.parseUnsignedLong("18446744073709551615") + " " + Integer.decode("-0x10") + " " + Integer.decode("#ff")
                + " " + Integer.decode("010") + " " + Long.decode("0X7fffffffffffffff") + " " + Short.reverseBytes((short) 0x1234)
                + " " + Byte.toUnsignedInt((byte) -1) + " " + Short.toUnsignedInt((short) -1) + " " + Character.reverseBytes('\u1234'));
        for (String bad : new String[] {"", "-", "2147483648", "1a", "+", "0x1", " 1"}) {
            try {
                System.out.println(Integer.parseInt(bad));
            } catch (NumberFormatException e) {
                System.out.println("not a number: '" + bad + "'");
            }
        }
    }
}
