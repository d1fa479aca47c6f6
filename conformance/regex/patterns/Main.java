package regex.patterns;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expressions: groups, quantifiers, replacement, look-around, flags. */
public class Main {
    static void matches(String regex, String... inputs) {
        Pattern p = Pattern.compile(regex);
        for (String s : inputs) System.out.print(p.matcher(s).matches() + " ");
        System.out.println(regex);
    }

    public static void main(String[] args) {
        matches("[a-z]+\\d*", "abc12", "12", "a", "");
        matches("(ab|cd){2,3}", "abcd", "ab", "ababcd", "abababab");
        matches("^\\s*(?:\\w+)\\b.*$", "  word!", "!");
        matches("(a+)+b?", "aaaaaaaa", "aab", "c");
        matches("(\\w)\\1", "aa", "ab");
        matches("[^abc&&[^d]]", "d", "e");
        Matcher m = Pattern.compile("(?<key>\\w+)=(?<value>[^;]*)(;|$)").matcher("a=1;bb=two;c=");
        while (m.find()) {
            System.out.println(m.group() + " " + m.group("key") + " " + m.group(2) + " " + m.start() + "-" + m.end(1) + " " + m.groupCount());
        }
        System.out.println("2024-01-31".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3/$2/$1") + " " + "aXbXc".replaceFirst("X", "\\$") + " " + "a.b".split("\\.").length);
        System.out.println(Pattern.compile("\\d+").matcher("a1b22c333").replaceAll(r -> "<" + r.group().length() + ">"));
        System.out.println(Pattern.compile("hello", Pattern.CASE_INSENSITIVE).matcher("Say HELLO").find() + " " + Pattern.matches("a.c", "a\nc") + " " + Pattern.matches("(?s)a.c", "a\nc"));
        System.out.println("price: 100 euro".replaceAll("\\d+(?= euro)", "X") + " " + "foobar".replaceAll("(?<!foo)bar", "Y") + " " + "<<a>>".replaceAll("<.*?>", "-"));
        System.out.println(Pattern.quote("a.b") + " " + "a.b a+b".replaceAll(Pattern.quote("a.b"), Matcher.quoteReplacement("$1")));
        StringBuilder sb = new StringBuilder();
        Matcher vowels = Pattern.compile("[aeiou]").matcher("regular");
        while (vowels.find()) vowels.appendReplacement(sb, vowels.group().toUpperCase());
        System.out.println(vowels.appendTail(sb) + " " + vowels.hitEnd() + " " + Pattern.compile(",").splitAsStream("x,y,z").count());
        m = Pattern.compile("b+").matcher("abbbc");
        System.out.println(m.lookingAt() + " " + m.find(2) + " " + m.start() + " " + m.reset().find() + " " + m.toMatchResult().group());
        try {
            Pattern.compile("a(b");
        } catch (PatternSyntaxException e) {
            System.out.println(e.getDescription() + " " + e.getIndex());
        }
        try {
            m.reset();
            m.group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
