package strings.textblocks;

/** Text blocks: indentation stripping, escapes, line joining. */
public class Main {
    static void show(String s) {
        System.out.println(s.replace("\n", "\\n").replace(" ", ".").replace("\t", "\\t") + " " + s.length());
    }

    public static void main(String[] args) {
        show("""
            hello
              indented
            world
            """);
        show("""
            no newline at end""");
        show("""
            joined \
            lines
            trailing \s
            quotes "" and \""" and \\ and \t tab
          less
            """);

        show("""

            """);
        String json = """
            {"name": "%s", "n": %d}
            """.formatted("x", 5);
        System.out.print(json);
        System.out.println("""
            a
            b""" == "a\nb");
        System.out.println("a\\tb\\n".translateEscapes().length() + " " + "  x\n y".stripIndent().replace('\n', '|'));
    }
}
