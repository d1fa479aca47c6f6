package locales.numbers;

import java.text.*;
import java.util.*;

public class Main {
    private static void show(String text) {
        System.out.println(text.replaceAll("[^ -~]", "?"));
    }

    public static void main(String[] args) throws ParseException {
        for (Locale locale : List.of(Locale.US, Locale.GERMANY, Locale.FRANCE, new Locale("de", "CH"), Locale.JAPAN)) {
            show(NumberFormat.getInstance(locale).format(1234567.891));
            show(NumberFormat.getCurrencyInstance(locale).format(-12.5));
            show(NumberFormat.getPercentInstance(locale).format(0.256));
            show(String.format(locale, "%,.2f %e", 1234567.891, 0.5));
        }
        System.out.println(NumberFormat.getInstance(Locale.GERMANY).parse("1.234,5"));
        System.out.println(NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12_345));
        DecimalFormat format = new DecimalFormat("000.0##E0", DecimalFormatSymbols.getInstance(Locale.US));
        System.out.println(format.format(12345.678));
        Currency euro = Currency.getInstance("EUR");
        show(euro.getSymbol(Locale.GERMANY) + " " + euro.getDefaultFractionDigits() + " " + euro.getDisplayName(Locale.US));
        System.out.println(Currency.getInstance(Locale.JAPAN) + " " + DecimalFormatSymbols.getInstance(Locale.US).getCurrency());
        try {
            Currency.getInstance("NON");
        } catch (IllegalArgumentException e) {
            System.out.println("no such currency");
        }
        show(Locale.GERMANY.getDisplayCountry(Locale.US) + " " + Locale.GERMANY.getDisplayLanguage(Locale.FRANCE));
        show(Locale.forLanguageTag("zh-Hant-TW").getDisplayName(Locale.US));
        System.out.println(Locale.getAvailableLocales().length > 100);
        System.out.println(Collator.getInstance(Locale.GERMAN).compare("\u00e4", "z") < 0);
        System.out.println("TITLE".toLowerCase(Locale.forLanguageTag("tr")).length());
        BreakIterator words = BreakIterator.getWordInstance(Locale.US);
        words.setText("Hello big world.");
        int count = 0;
        while (words.next() != BreakIterator.DONE) {
            count++;
        }
        System.out.println(count);
    }
}
