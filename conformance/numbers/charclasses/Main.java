package numbers.charclasses;

/** Classes of characters over ASCII and a few others, digits, code points and names of cases. */
public final class Main {
    private static int bits(int c) {
        int n = 0;
        boolean[] all = {Character.isLetter(c), Character.isDigit(c), Character.isLetterOrDigit(c), Character.isUpperCase(c),
            Character.isLowerCase(c), Character.isWhitespace(c), Character.isSpaceChar(c), Character.isISOControl(c),
            Character.isJavaIdentifierStart(c), Character.isJavaIdentifierPart(c), Character.isTitleCase(c), Character.isDefined(c),
            Character.isAlphabetic(c), Character.isMirrored(c), Character.isSurrogate((char) c), Character.isIdeographic(c)};
        for (boolean b : all) {
            n = n << 1 | (b ? 1 : 0);
        }
        return n;
    }

    public static void main(String[] args) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < 256; c++) {
            line.append(Integer.toHexString(bits(c))).append(c % 16 == 15 ? "\n" : " ");
        }
        System.out.print(line);
        for (int c : new int[] {0x131, 0x1c5, 0x3b1, 0x3a9, 0x430, 0x5d0, 0x661, 0x2028, 0x3042, 0x4e00, 0xd800, 0xff11, 0x1d7ce, 0x10400, 0x1f600}) {
            System.out.println(Integer.toHexString(c) + " " + Integer.toHexString(bits(c)) + " " + Character.getType(c)
                    + " " + Integer.toHexString(Character.toUpperCase(c)) + " " + Integer.toHexString(Character.toLowerCase(c))
                    + " " + Integer.toHexString(Character.toTitleCase(c)) + " " + Character.digit(c, 10) + " " + Character.getNumericValue(c)
                    + " " + Character.charCount(c) + " " + Character.getDirectionality(c));
        }
        System.out.println(Character.digit('z', 36) + " " + Character.digit('z', 35) + " " + Character.forDigit(11, 16) + " " + Character.digit('5', 1));
        System.out.println(Character.toChars(0x1f600).length + " " + Character.toCodePoint('\ud83d', '\ude00') + " " + (int) Character.highSurrogate(0x1f600)
                + " " + Character.isValidCodePoint(0x110000) + " " + Character.compare((char) 97, (char) 98));
    }
}
