package format.conversions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Formattable;
import java.util.Formatter;
import java.util.IllegalFormatException;
import java.util.Locale;

/** Formatting with every conversion and flag that does not depend on a locale or a zone. */
public final class Main {
    static class Shy implements Formattable {
        public void formatTo(Formatter f, int flags, int width, int precision) {
            f.format("Shy<%d,%d,%d>", flags, width, precision);
        }
    }

    public static void main(String[] args) {
        System.out.println(String.format(Locale.ROOT, "%d|%5d|%-5d|%05d|%+d|%(d|% d|%,d|%x|%X|%o|%#x|%#o", 42, 42, 42, 42, 42, -42, 42, 1234567, 255, 255, 8, 255, 8));
        System.out.println(String.format(Locale.ROOT, "%x|%x|%x|%o|%d|%,d", (byte) -1, (short) -1, -1L, -8, Long.MIN_VALUE, Long.MIN_VALUE));
        System.out.println(String.format(Locale.ROOT, "%s|%10s|%-10s|%.2s|%S|%s|%s|%h|%H", "text", "right", "left", "cut", "upper", null, new int[0].length, "hash", 255));
        System.out.println(String.format(Locale.ROOT, "%c|%C|%c|%5c|%-3c|%c", 'a', 'b', 99, 'd', 'e', (Object) null).replace('\0', '0'));
        System.out.println(String.format(Locale.ROOT, "%b|%B|%b|%b|%7b|%.1b", true, false, null, "x", true, true));
        System.out.println(String.format(Locale.ROOT, "%f|%.2f|%10.3f|%-10.1f|%010.2f|%+.1f|%(.2f|%,.2f|%.0f|%#.0f", 3.14159, 2.675, -1.5, 2.25, -7.125, 5.55, -9.999, 1234567.891, 0.5, 1.5));
        System.out.println(String.format(Locale.ROOT, "%e|%.2e|%E|%12.3e|%g|%.3g|%G|%g", 12345.678, 0.00012345, 1e100, -5.5, 123456.0, 0.0001, 1e-10, 0.0));
        System.out.println(String.format(Locale.ROOT, "%a|%A|%.3a|%a", 1.0, -0.5, 3.14159, 0.0));
        System.out.println(String.format(Locale.ROOT, "%f|%e|%g|%5.1f|%+f|%(f", Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Float.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        System.out.println(String.format(Locale.ROOT, "%2$s %1$s %<s %s %s%n%%|%5%|%-5%|", "a", "b").replace("\n", "/"));
        System.out.println(String.format(Locale.ROOT, "%d|%,d|%x|%+d|%f|%.3f|%e|%s", new BigInteger("123456789012345678901234567890"), new BigInteger("-12345678901234567890"),
                new BigInteger("-255"), BigInteger.TEN, new BigDecimal("1.005"), new BigDecimal("-2.34567"), new BigDecimal("123456.789"), new BigDecimal("1E+5")));
        System.out.println(String.format("%s|%#10.3s|%-5S", new Shy(), new Shy(), new Shy()));
        System.out.println(String.format(Locale.ROOT, "%.1f %.1f %.1f %.1f %.3f %.15f %.20f", 0.25, 0.35, 0.45, 1.05, 1.0005, 0.1, 0.1));
        String[] bad = {"%d:s", "%q:1", "%:1", "%-d:1", "%.2d:1", "%s %s:1", "%,x:1", "%05s:1", "%c:1.5", "%f:1", "%+-s:1", "%1$", "%#d:1", "%0-5d:1", "%--5d:1", "%5:1", "%b%9$b:1"};
        for (String t : bad) {
            String[] p = (t + ":").split(":");
            Object arg = p.length < 2 ? null : p[1].equals("s") ? "s" : p[1].equals("1.5") ? (Object) 1.5 : (Object) 1;
            try {
                System.out.println(p[0] + " gives " + String.format(Locale.ROOT, p[0], arg));
            } catch (IllegalFormatException e) {
                System.out.println(p[0] + " " + e.getClass().getSimpleName());
            }
        }
        Formatter f = new Formatter(new StringBuilder("start "), Locale.ROOT);
        f.format("%d-", 1).format("%s", "x");
        System.out.println(f + " " + f.out());
    }
}
