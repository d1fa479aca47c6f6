package numbers.characters;

/** Character classification and conversion, in ASCII and beyond. */
public class Main {
    public static void main(String[] args) {
        char[] chars = {'a', 'Z', '5', ' ', '\t', '\n', '_', '$', '-', '\0', '\u007f', '\u00a0', '\u00e9', '\u00df', '\u0391',
            '\u4e2d', '\u0660', '\u2160', '\uffff', '\ud800', '\u2028', '\u01c5'};
        for (char c : chars) {
            StringBuilder sb = new StringBuilder(Integer.toHexString(c)).append(' ');
            sb.append(Character.isLetter(c) ? 'L' : '-').append(Character.isDigit(c) ? 'D' : '-');
            sb.append(Character.isLetterOrDigit(c) ? 'B' : '-').append(Character.isWhitespace(c) ? 'W' : '-');
            sb.append(Character.isSpaceChar(c) ? 'S' : '-').append(Character.isUpperCase(c) ? 'U' : '-');
            sb.append(Character.isLowerCase(c) ? 'l' : '-').append(Character.isTitleCase(c) ? 'T' : '-');
            sb.append(Character.isJavaIdentifierStart(c) ? 'J' : '-').append(Character.isJavaIdentifierPart(c) ? 'P' : '-');
            sb.append(Character.isISOControl(c) ? 'C' : '-').append(Character.isDefined(c) ? 'd' : '-');
            sb.append(' ').append((int) Character.toUpperCase(c)).append(' ').append((int) Character.toLowerCase(c));
            sb.append(' ').append(Character.getNumericValue(c)).append(' ').append(Character.getType(c));
            System.out.println(sb);
        }
        System.out.println(Character.digit('f', 16) + " " + Character.digit('g', 16) + " " + Character.digit('7', 8)
                + " " + Character.digit('8', 8) + " " + Character.forDigit(11, 16) + " " + (int) Character.forDigit(20, 16));
        System.out.println(Character.compare('a', 'b') + " " + Character.valueOf('x') + " " + Character.toString('y')
                + " " + Character.hashCode('z') + " " + (Character.reverseBytes('\u1234') + 0));
        System.out.println(Character.isSurrogatePair('\ud83d', '\ude00') + " " + Character.toCodePoint('\ud83d', '\ude00')
                + " " + Character.isSupplementaryCodePoint(0x1f600) + " " + Character.isLetter(0x20000)
                + " " + Character.isValidCodePoint(0x110000) + " " + Character.isBmpCodePoint(0xffff));
        char c = 'A';
        c += 2;
        c++;
        int distance = c - 'A';
        System.out.println(c + " " + distance + " " + (char) (c | 0x20) + " " + (c < 'a') + " " + (char) 97);
        int[] counts = new int[26];
        for (char l : "the quick brown fox jumps over the lazy dog".toCharArray()) {
            if (l >= 'a') counts[l - 'a']++;
        }
        for (int i = 0; i < 26; i++) {
            System.out.print((char) ('a' + i) + "" + counts[i] + " ");
        }
        System.out.println();
    }
}
