package strings.unicode;

/** UTF-16: surrogate pairs, code points, compact and wide strings, modified UTF-8 constants. */
public class Main {
    static String escape(String s) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c < 128 && c > 31) sb.append(c);
            else sb.append("\\u").append(Integer.toHexString(c | 0x10000).substring(1));
        }
        return sb.toString();
    }

    public static void main(String[] args) {
        String smile = "a\ud83d\ude00z";
        System.out.println(smile.length() + " " + smile.codePointCount(0, smile.length()) + " " + smile.codePointAt(1)
                + " " + smile.codePointAt(2) + " " + smile.codePointBefore(3) + " " + smile.offsetByCodePoints(0, 2));
        smile.codePoints().forEach(cp -> System.out.print(Integer.toHexString(cp) + " "));
        System.out.println();
        System.out.println(Character.isSurrogate(smile.charAt(1)) + " " + Character.isHighSurrogate(smile.charAt(1))
                + " " + Character.isLowSurrogate(smile.charAt(2)) + " " + Character.charCount(0x1f600)
                + " " + escape(new String(Character.toChars(0x10ffff))));
        String lone = "\ud800";
        String zero = "a\0b";
        System.out.println(escape(lone + zero) + " " + lone.length() + " " + zero.length() + " " + (int) zero.charAt(1));
        String latin = "\u00e9\u00ff";
        String wide = "\u00e9\u0100";
        System.out.println(latin.hashCode() + " " + wide.hashCode() + " " + latin.equals(wide) + " " + latin.compareTo(wide));
        System.out.println(escape(latin.toUpperCase()) + " " + escape(wide.toLowerCase()) + " " + escape("stra\u00dfe".toUpperCase()));
        System.out.println(escape(wide.substring(0, 1)) + " " + wide.substring(0, 1).equals("\u00e9") + " " + wide.indexOf('\u0100'));
        System.out.println("\u00e9".equals("e\u0301") + " " + "\u00b5".equalsIgnoreCase("\u039c"));
        System.out.println(escape(new StringBuilder("\ud83d\ude00").append('\u00e9').reverse().toString()));
        System.out.println("\ud83d\ude00".compareTo("\uffff") + " " + "\u4e2d\u6587".contains("\u6587"));
        byte[] utf8 = "a\u00e9\u4e2d\ud83d\ude00".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        StringBuilder hex = new StringBuilder();
        for (byte b : utf8) hex.append(Integer.toHexString(b & 0xff)).append(' ');
        System.out.println(hex);
        System.out.println(escape(new String(utf8, java.nio.charset.StandardCharsets.UTF_8)));
        System.out.println("caf\u00e9".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1).length);
        char c = '\u0041';
        System.out.println(c + " " + ((char) 0x263a + 0) + " " + Character.getNumericValue('\u0665') + " " + Character.isLetter('\u4e2d'));
    }
}
