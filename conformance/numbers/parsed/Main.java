package numbers.parsed;

/** Numbers parsed and printed in every radix and form. */
public class Main {
    public static void main(String[] args) {
        for (String text : new String[] {"12", "-0", "+7", "2147483648", "", " 1", "1_0", "0x1F", "\u0661"}) {
            try {
                System.out.print(Integer.parseInt(text) + " ");
            } catch (NumberFormatException thrown) {
                System.out.print("wrong ");
            }
        }
        System.out.println();
        System.out.println(Integer.decode("0x1F") + " " + Long.decode("-#ff") + " " + Integer.decode("010")
                + " " + Integer.parseInt("zz", 36) + " " + Integer.parseUnsignedInt("4294967295") + " "
                + Long.parseLong("x12y", 1, 3, 10));
        for (String text : new String[] {"1e3", ".5", "-1.", "NaN", "Infinity", "0x1p3", "1d", "1e400", "e"}) {
            try {
                System.out.print(Double.parseDouble(text) + " ");
            } catch (NumberFormatException thrown) {
                System.out.print("wrong ");
            }
        }
        System.out.println();
        System.out.println(Double.toHexString(1.5) + " " + Float.toHexString(-0.1f) + " " + Double.toString(
                1e21) + " " + 1e-5 + " " + 100f + " " + Float.MIN_VALUE + " " + Double.MAX_VALUE);
        System.out.println(Integer.toString(-255, 16) + " " + Integer.toHexString(-1) + " "
                + Integer.toOctalString(8) + " " + Long.toBinaryString(5) + " " + Long.toUnsignedString(-1L,
                36));
        System.out.println((int) 3.99e10 + " " + (long) Double.NaN + " " + (byte) 300 + " " + (char) 65.7
                + " " + (int) -0.9f + " " + (short) 70000L);
        System.out.println(Double.compare(0.0, -0.0) + " " + Double.valueOf(Double.NaN).equals(Double.NaN)
                + " " + (0.0 == -0.0) + " " + Double.doubleToLongBits(-0.0) + " " + Float.isFinite(1f / 0));
        System.out.println(Byte.toUnsignedInt((byte) -1) + " " + Short.parseShort("-7fff", 16) + " "
                + Character.digit('f', 16) + Character.forDigit(11, 16) + " " + Character.getNumericValue(
                'z') + " " + Boolean.parseBoolean("TRUE") + Boolean.logicalXor(true, false));
    }
}
