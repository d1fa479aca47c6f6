package numbers.integers;

/** Integer: text in every radix, parsing, bits and comparisons. */
public class Main {
    static void parse(String s, int radix) {
        try {
            System.out.println(Integer.parseInt(s, radix));
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        int[] values = {0, 1, -1, 10, 255, -256, 1 << 30, 12345678, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int v : values) {
            System.out.println(Integer.toString(v) + " " + Integer.toBinaryString(v) + " " + Integer.toOctalString(v) + " "
                    + Integer.toHexString(v) + " " + Integer.toString(v, 36) + " " + Integer.toString(v, 7) + " "
                    + Integer.toString(v, 99) + " " + Integer.toUnsignedString(v));
            System.out.println(Integer.bitCount(v) + " " + Integer.numberOfLeadingZeros(v) + " "
                    + Integer.numberOfTrailingZeros(v) + " " + Integer.highestOneBit(v) + " " + Integer.lowestOneBit(v)
                    + " " + Integer.reverse(v) + " " + Integer.reverseBytes(v) + " " + Integer.rotateLeft(v, 5) + " "
                    + Integer.rotateRight(v, 5) + " " + Integer.signum(v) + " " + Integer.hashCode(v));
            System.out.println(Integer.compare(v, 1) + " " + Integer.compareUnsigned(v, 1) + " "
                    + Integer.divideUnsigned(v, 7) + " " + Integer.remainderUnsigned(v, 7) + " " + Integer.toUnsignedLong(v));
        }
        String[] good = {"0", "-0", "+5", "2147483647", "-2147483648", "007"};
        for (String s : good) {
            parse(s, 10);
        }
        String[] bad = {"", "-", "+", " 1", "1 ", "2147483648", "-2147483649", "0x10", "1.5", "12a"};
        for (String s : bad) {
            parse(s, 10);
        }
        parse("zz", 36);
        parse("-7f", 16);
        parse("12", 2);
        parse("1", 1);
        try {
            Integer.parseInt(null);
        } catch (NumberFormatException e) {
            System.out.println("null");
        }
        System.out.println(Integer.decode("0x1F") + " " + Integer.decode("-#f") + " " + Integer.decode("010") + " " + Integer.valueOf("12", 3));
        System.out.println(Integer.sum(1, 2) + " " + Integer.max(1, 2) + " " + Integer.MIN_VALUE + " " + Integer.SIZE + " " + Integer.BYTES);
        System.out.println(Byte.parseByte("-128") + " " + Short.parseShort("7fff", 16) + " " + Byte.toUnsignedInt((byte) -1));
        try {
            Byte.parseByte("128");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }
}
