package library.scanning;

import java.util.InputMismatchException;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.StringJoiner;
import java.util.StringTokenizer;

/** Scanner on a string, StringTokenizer, StringJoiner. */
public final class Main {
    public static void main(String[] args) {
        Scanner s = new Scanner("12 3.5 true word\nrest of line\n0x1f 99999999999 -7");
        s.useLocale(Locale.ROOT);
        System.out.println(s.nextInt() + " " + s.nextDouble() + " " + s.nextBoolean() + " " + s.next() + "|" + s.nextLine() + "|" + s.nextLine());
        System.out.println(s.hasNextInt() + " " + s.next() + " " + s.hasNextInt() + " " + s.nextLong() + " " + s.nextByte() + " " + s.hasNext());
        try {
            s.next();
        } catch (NoSuchElementException e) {
            System.out.println("no more");
        }
        s = new Scanner("a, b,c;d").useDelimiter("[,;]\\s*");
        while (s.hasNext()) {
            System.out.print("<" + s.next() + ">");
        }
        System.out.println();
        s = new Scanner("abc");
        try {
            s.nextInt();
        } catch (InputMismatchException e) {
            System.out.println("mismatch " + s.next());
        }
        StringTokenizer t = new StringTokenizer("the quick\tbrown fox");
        System.out.print(t.countTokens() + ":");
        while (t.hasMoreTokens()) {
            System.out.print(t.nextToken() + ".");
        }
        System.out.println();
        t = new StringTokenizer("1+2*3", "+*", true);
        while (t.hasMoreElements()) {
            System.out.print(t.nextElement() + "_");
        }
        System.out.println();
        t = new StringTokenizer("a:b;c", ":");
        System.out.println(t.nextToken() + t.nextToken(";") + t.nextToken());
        StringJoiner j = new StringJoiner(", ", "{", "}").setEmptyValue("none");
        System.out.print(j + " ");
        j.add("x").add("y").merge(new StringJoiner("-").add("p").add("q"));
        System.out.println(j + " " + j.length());
    }
}
