package strings.splitting;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Strings: splitting, joining, lines, regions, comparing, replacing. */
public final class Main {
    public static void main(String[] args) {
        for (String s : new String[] {"a,b,,c,,", ",", "", "abc", ",a"}) {
            System.out.println(Arrays.toString(s.split(",")) + Arrays.toString(s.split(",", -1)) + Arrays.toString(s.split(",", 2)) + s.split(",").length);
        }
        System.out.println(Arrays.toString("a1b22c333".split("\\d+")) + Arrays.toString("a.b|c".split("[.|]")) + Arrays.toString("abc".split("")));
        System.out.println(String.join("-", "a", "b", "c") + String.join("/", Arrays.asList("x", null, "y")) + "ab".repeat(3) + "x".repeat(0) + "|");
        System.out.println("[" + "  pad ".strip() + "][" + "  pad ".stripLeading() + "][" + "  pad ".stripTrailing() + "][" + "\u2003x\u2003".trim().length() + "]");
        System.out.println("one\ntwo\r\nthree\rfour\n".lines().map(x -> "<" + x + ">").collect(Collectors.joining()));
        System.out.println("hello".chars().sum() + " " + "hello".chars().filter(c -> c == 'l').count() + " " + "a\ud83d\ude00b".codePoints().count());
        System.out.println("Hello World".regionMatches(6, "world", 0, 5) + " " + "Hello World".regionMatches(true, 6, "world", 0, 5) + " " + "x".regionMatches(-1, "x", 0, 1));
        System.out.println("apple".compareTo("banana") + " " + "apple".compareTo("app") + " " + "Apple".compareToIgnoreCase("aPPLE") + " " + "b".compareTo("a"));
        System.out.println("mississippi".replace("ss", "SS") + " " + "mississippi".replace('i', '!') + " " + "aaa".replace("aa", "b") + " " + "abc".replace("", "-"));
        System.out.println("mississippi".indexOf("ssi", 3) + " " + "mississippi".lastIndexOf("ss") + " " + "mississippi".lastIndexOf('i', 6) + " " + "abc".indexOf("") + " " + "abc".indexOf('z'));
        System.out.println("x1y22".replaceAll("[0-9]+", "<$0>") + " " + "aXbX".replaceFirst("X", "\\$") + " " + "key=val".matches("\\w+=\\w+"));
        System.out.println("  \t ".isBlank() + " " + "".isEmpty() + " " + "abc".contains("bc") + " " + "abc".startsWith("b", 1) + " " + "abc".endsWith(""));
        System.out.println("  a\n    b\n".indent(2).replace("\n", "|") + "  a\n b".stripIndent().replace("\n", "|") + "a\\tb".translateEscapes().length());
        System.out.println("Hello".concat(" x").subSequence(2, 6) + "abc".substring(3) + "abc".charAt(1) + "abc".codePointAt(2) + String.valueOf(new char[] {'o', 'k'}, 1, 1));
        System.out.println(String.copyValueOf(new char[] {'a', 'b'}) + "abc".contentEquals(new StringBuilder("abc")) + "ABC".equalsIgnoreCase("abc") + "a".equals(null) + CharSequence.compare("ab", new StringBuilder("ac")));
        System.out.println("stra\u00dfe".toUpperCase().length() + " " + "\u0130".toLowerCase(java.util.Locale.ROOT).length() + " " + "ABC".toLowerCase().hashCode() + " " + "%d%%".formatted(5));
        for (int i : new int[] {-1, 3, 4}) {
            try {
                System.out.println("abc".substring(i));
            } catch (StringIndexOutOfBoundsException e) {
                System.out.println("outside " + i);
            }
        }
    }
}
