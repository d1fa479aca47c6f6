package format.messages;

import java.text.ChoiceFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.IllegalFormatException;
import java.util.Locale;
import java.util.TimeZone;

/** Messages, choices, decimals and dates by patterns. */
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(new MessageFormat("{0} has {1,number,integer} of {2,number,percent}''s {3}",
                Locale.ROOT).format(new Object[] {"x", 1234, 0.5, null}));
        System.out.println(new MessageFormat("{0,choice,0#none|1#one|1<many {0}}", Locale.ROOT).format(
                new Object[] {5}));
        System.out.println(new ChoiceFormat("0#zero|1#one|2#more").format(1.5));
        DecimalFormat decimal = new DecimalFormat("#,##0.00;(#)", DecimalFormatSymbols.getInstance(
                Locale.ROOT));
        System.out.println(decimal.format(1234567.895) + " " + decimal.format(-0.5) + " "
                + decimal.parse("1,234.5"));
        DecimalFormat scientific = new DecimalFormat("0.###E0", DecimalFormatSymbols.getInstance(
                Locale.ROOT));
        System.out.println(scientific.format(123456) + " " + scientific.format(0.000123));
        SimpleDateFormat date = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS EEE MMM Z", Locale.ENGLISH);
        date.setTimeZone(TimeZone.getTimeZone("GMT+2"));
        System.out.println(date.format(new Date(1_000_000_000_123L)));
        date.applyPattern("d/M/yy");
        System.out.println(date.parse("5/6/07").getTime() + " " + date.toPattern());
        ParsePosition position = new ParsePosition(0);
        System.out.println(date.parse("x", position) + " " + position.getErrorIndex());
        System.out.println(new MessageFormat("{0} and {1}").parse("a and b")[1]);
        System.out.println(String.format(Locale.ROOT, "%08.3f|%-6s|%+d|%x|%,d|%e|%b|%c|%%|%5.1f%%", 3.14159,
                "ab", 5, 255, 1234567, 12345.678, true, 'q', 99.5));
        System.out.println(String.format(Locale.ROOT, "%2$s %1$s %<s %o %S %h", "a", "b", 8, "up", "hash"));
        try {
            String.format("%d", "text");
        } catch (IllegalFormatException thrown) {
            System.out.println(thrown.getMessage());
        }
        System.out.println(NumberFormat.getCompactNumberInstance(Locale.ENGLISH, NumberFormat.Style.SHORT)
                .format(12_345));
    }
}
