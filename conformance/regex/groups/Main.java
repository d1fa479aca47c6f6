package regex.groups;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Groups, flags, boundaries, replacement by functions. */
public class Main {
    public static void main(String[] args) {
        Matcher matcher = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)(-(\\d\\d))?").matcher(
                "on 2024-05-17 and 2023-01");
        while (matcher.find()) {
            System.out.println(matcher.group("year") + "/" + matcher.group(2) + "/" + matcher.group(4) + " "
                    + matcher.start() + "-" + matcher.end("month"));
        }
        System.out.println(Pattern.compile("\\b(\\w)(\\w*)").matcher("some words").replaceAll(
                r -> r.group(1).toUpperCase() + r.group(2)));
        System.out.println(Pattern.compile("^a.b$", Pattern.DOTALL | Pattern.MULTILINE
                | Pattern.CASE_INSENSITIVE).matcher("x\nA\nB").find());
        System.out.println("aXbXc".split("X", 2)[1] + Pattern.compile(",").splitAsStream("a,b").count());
        System.out.println("aaa".replaceAll("a*?", "-") + " " + "foobar".matches("foo(?=bar).*") + " "
                + "foobaz".matches("foo(?!bar).*") + " " + "abab".matches("(ab)\\1"));
        System.out.println(Pattern.quote("a.b") + " " + Matcher.quoteReplacement("$1\\"));
        Matcher region = Pattern.compile("\\d+").matcher("12ab34").region(2, 6);
        System.out.println(region.lookingAt() + " " + region.find() + region.group() + " "
                + region.hitEnd());
        System.out.println("x{1}".matches("x\\{1\\}") + " " + "tab\t".matches("tab\\s") + " "
                + "\u00e9".matches("\\p{L}") + " " + "A1_".matches("[\\w&&[^a-z]]+"));
        StringBuilder text = new StringBuilder();
        Matcher digits = Pattern.compile("\\d").matcher("a1b2c");
        while (digits.find()) {
            digits.appendReplacement(text, "<" + (Integer.parseInt(digits.group()) + 1) + ">");
        }
        System.out.println(digits.appendTail(text));
        System.out.println(Pattern.compile("a|b").asPredicate().test("xbx") + " "
                + Pattern.compile("a|b").asMatchPredicate().test("xbx"));
        for (String wrong : new String[] {"(", "[a", "*a", "a{2,1}", "\\", "(?<n>a)(?<n>b)"}) {
            try {
                Pattern.compile(wrong);
            } catch (PatternSyntaxException thrown) {
                System.out.println(thrown.getDescription() + " " + thrown.getIndex());
            }
        }
    }
}
