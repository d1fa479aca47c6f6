package library.scanners;

import java.util.InputMismatchException;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Scanner;

/** Scanners over text: tokens, numbers, lines, patterns. */
public class Main {
    public static void main(String[] args) {
        Scanner scanner = new Scanner("12 abc 3.5 true\n0x1F last line\n\nend");
        scanner.useLocale(Locale.ROOT);
        System.out.println(scanner.nextInt() + scanner.next() + scanner.nextDouble()
                + scanner.nextBoolean());
        System.out.println(scanner.hasNextInt() + " [" + scanner.nextLine() + "]");
        System.out.println(scanner.nextLine() + "|" + scanner.nextLine() + "|" + scanner.nextLine());
        System.out.println(scanner.hasNext() + " " + scanner.hasNextLine());
        try {
            scanner.next();
        } catch (NoSuchElementException thrown) {
            System.out.println(thrown.getClass().getSimpleName());
        }
        Scanner comma = new Scanner("a, b,c ,d").useDelimiter("\\s*,\\s*");
        StringBuilder text = new StringBuilder();
        while (comma.hasNext()) {
            text.append('<').append(comma.next()).append('>');
        }
        System.out.println(text);
        Scanner found = new Scanner("x=1; y=22; z=333");
        System.out.println(found.findInLine("(\\w)=(\\d\\d)") + found.match().group(2));
        System.out.println(new Scanner("a1b22c").findAll("\\d+").map(r -> r.group()).toList());
        Scanner radix = new Scanner("ff 777").useRadix(16);
        System.out.println(radix.nextInt() + " " + radix.nextBigInteger(8));
        try {
            new Scanner("word").nextInt();
        } catch (InputMismatchException thrown) {
            System.out.println("mismatch");
        }
        System.out.println(new Scanner("p q r").tokens().count());
    }
}
