package format.numbers;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Locale;
import java.util.Scanner;

/** Number formats of English and of no locale. */
public class Main {
    public static void main(String[] args) throws Exception {
        NumberFormat plain = NumberFormat.getInstance(Locale.US);
        System.out.println(plain.format(1234567.891) + " " + plain.format(-0.5) + " " + plain.format(12L) + " " + plain.parse("1,234.5x"));
        System.out.println(NumberFormat.getPercentInstance(Locale.ENGLISH).format(0.256) + " " + NumberFormat.getIntegerInstance(Locale.ROOT).format(2.5) + " " + NumberFormat.getIntegerInstance(Locale.US).format(3.5));
        DecimalFormat own = new DecimalFormat("#,##0.00;(#)", DecimalFormatSymbols.getInstance(Locale.US));
        System.out.println(own.format(1234.5) + " " + own.format(-7) + " " + own.toPattern() + " " + own.getGroupingSize());
        DecimalFormat scientific = new DecimalFormat("0.###E0", new DecimalFormatSymbols(Locale.ROOT));
        System.out.println(scientific.format(12345) + " " + scientific.format(0.00012) + " " + new DecimalFormat("000.0#", DecimalFormatSymbols.getInstance(Locale.UK)).format(3.14159));
        DecimalFormatSymbols symbols = new DecimalFormatSymbols(Locale.US);
        symbols.setDecimalSeparator(',');
        symbols.setGroupingSeparator('.');
        System.out.println(new DecimalFormat("#,##0.0", symbols).format(98765.43) + " " + symbols.getZeroDigit() + symbols.getMinusSign() + symbols.getPercent() + " " + symbols.getNaN());
        System.out.println(String.format(Locale.ROOT, "%,d %,.2f %e %s", 1234567, 9876.543, 12.5, 1.0) + " " + String.format(Locale.UK, "%,d|%08.3f|%+d", 1000, -3.14159, 5));
        System.out.println(String.format("%5.1f|%-8s|%08d|%x|%c|%b|%%|%n", 2.25, "ab", 42, 255, 'z', true).trim());
        Scanner in = new Scanner("12 3.5 word true 99999999999 0x1F").useLocale(Locale.US);
        System.out.println(in.nextInt() + " " + in.nextDouble() + " " + in.next() + " " + in.nextBoolean() + " " + in.nextLong() + " " + in.hasNextInt() + " " + in.next());
    }
}
