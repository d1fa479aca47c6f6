package format.basics;

import java.util.IllegalFormatException;

/** String.format: integers, text, flags, widths, and its exceptions. */
public class Main {
    static void f(String format, Object... args) {
        try {
            System.out.println("[" + String.format(java.util.Locale.ROOT, format, args) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("plain %% %n", 1);
        f("%d %d %d %d", 1, -2L, (byte) 3, (short) 4);
        f("%5d|%-5d|%05d|%+d|%,d|%(d|% d", 42, 42, 42, 42, 1234567, -42, 42);
        f("%x %X %o %#x %08x", 255, 255, 8, 255, -1);
        f("%s %S %10s|%-10s|%.2s", "str", "up", "right", "left", "cut");
        f("%s %s %s %s", null, true, 'c', new StringBuilder("sb"));
        f("%b %b %b %B", true, null, "x", false);
        f("%c %c %C", 'a', 98, 'c');
        f("%h %h", "hello", 255);
        f("%2$s %1$s %2$s %<s", "a", "b");
        f("%s", (Object) new int[0].length);
        f("%-8s|%8s|%08d", "ab", null, -123);
        f("%d", "text");
        f("%s %s", "one");
        f("%q", 1);
        f("%.2d", 1);
        f("%-d", 1);
        f("%c", "s");
        System.out.println("%s-%s".formatted(1, 2L));
        System.out.printf("%d items%n", 3);
        System.out.format("%s%n", "formatted");
    }
}
