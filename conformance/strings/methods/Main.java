package strings.methods;

/** The everyday methods of String. */
public class Main {
    static void show(Object... values) {
        StringBuilder sb = new StringBuilder();
        for (Object o : values) {
            sb.append('[').append(o).append(']');
        }
        System.out.println(sb);
    }

    public static void main(String[] args) {
        String s = "Hello, World";
        show(s.length(), s.charAt(4), s.indexOf('o'), s.indexOf('o', 5), s.lastIndexOf('o'), s.indexOf("World"), s.indexOf("x"), s.lastIndexOf("l", 9));
        show(s.substring(7), s.substring(0, 5), s.substring(12), s.subSequence(3, 8));
        show(s.toUpperCase(), s.toLowerCase(), s.replace('l', 'L'), s.replace("l", ""), s.replace("", "-"));
        show(s.contains("lo, W"), s.startsWith("Hell"), s.startsWith("lo", 3), s.endsWith("ld"), s.isEmpty(), "".isEmpty());
        show("  pad \t".trim(), " \u2003x ".strip(), " x ".stripLeading(), " x ".stripTrailing(), "  ".isBlank());
        show("a".compareTo("b"), "a".compareTo("abc"), "B".compareTo("a"), "".compareTo(""), "b".compareToIgnoreCase("A"));
        show("aBc".equalsIgnoreCase("AbC"), "a".equals(null), "a".equals("a"), s.equals(new String(s.toCharArray())));
        show("".hashCode(), "a".hashCode(), s.hashCode(), "polygenelubricants".hashCode());
        show((Object[]) "a,b,,c,,".split(","));
        show((Object[]) "a,b,,c,,".split(",", -1));
        show((Object[]) "a1b22c".split("[0-9]+"));
        show((Object[]) "one two".split(" ", 1));
        show(String.join("-", "a", "b", "c"), String.join("/", java.util.List.of("x", "y")));
        show("ab".repeat(3), "x".repeat(0), "abc".concat("def"), new StringBuilder("abc").reverse());
        show(String.valueOf(true), String.valueOf('c'), String.valueOf(1L), String.valueOf(2f), String.valueOf((Object) null));
        show(String.valueOf(new char[] {'x', 'y', 'z'}, 1, 2), new String(new char[] {'q'}), new String(new int[] {65, 0x1f600}, 0, 2).length());
        show("abc".toCharArray().length, "abc".getBytes().length, "a-b-c".replaceAll("-", "+"), "a-b-c".replaceFirst("-", ""));
        show("x".matches("[a-z]"), "abc".chars().sum(), "l1\nl2\r\nl3".lines().count(), "abc".indent(2));
        show("abcabc".indexOf("c", -5), "abcabc".indexOf("", 4), "abc".lastIndexOf(""), "aaa".replace("aa", "b"));
        show("abc".regionMatches(1, "xbc", 1, 2), "abc".regionMatches(true, 0, "AB", 0, 2), "abc".contentEquals(new StringBuilder("abc")));
        try {
            "abc".substring(4);
        } catch (StringIndexOutOfBoundsException e) {
            show("substring");
        }
        try {
            "x".repeat(-1);
        } catch (IllegalArgumentException e) {
            show(e.getMessage());
        }
    }
}
