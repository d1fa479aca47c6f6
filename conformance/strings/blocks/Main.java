package strings.blocks;

/** Text blocks, lines, indents, repeats, strips. */
public class Main {
    public static void main(String[] args) {
        String block = """
                first
                  second \\
                third\ttab
                "quoted" \"""
                """;
        System.out.print(block);
        System.out.println(block.lines().map(String::strip).toList());
        System.out.println("[" + "  a b  ".strip() + "][" + "  a".stripLeading() + "]["
                + "a  ".stripTrailing() + "]" + "  ".isBlank());
        System.out.println("ab".repeat(3) + "x".repeat(0) + "|");
        System.out.print("a\nb".indent(2) + " c\n  d".indent(-1));
        System.out.println("  x\n    y\n".stripIndent().replace('\n', '/'));
        System.out.println("a\\tb\\u0041".translateEscapes().length());
        System.out.println("%d-%s".formatted(5, "q") + "abc".transform(s -> s + s.length()));
        System.out.println("a,b,,c,,".split(",").length + " " + "a,b,,c,,".split(",", -1).length + " "
                + "a1b2".split("\\d").length);
        System.out.println(String.join("-", "a", "b") + " " + "abcabc".lastIndexOf("bc") + " "
                + "abcabc".indexOf('c', 3));
        System.out.println("Hello".chars().sum() + " " + "a\ud83d\ude00".codePoints().count() + " "
                + "a\ud83d\ude00".codePointCount(0, 3));
        System.out.println("stra\u00dfe".toUpperCase().length() + " " + "ABC".equalsIgnoreCase("abc"));
        System.out.println("b".compareTo("abc") + " " + "a".compareToIgnoreCase("B") + " "
                + "abc".regionMatches(true, 1, "XBC", 1, 2));
        System.out.println("a.b.c".replace(".", "") + "aaa".replaceFirst("a", "b")
                + "a1b22".replaceAll("(\\d+)", "<$1>"));
    }
}
