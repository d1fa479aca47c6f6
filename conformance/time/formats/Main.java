package time.formats;

import java.text.*;
import java.time.*;
import java.time.format.*;
import java.time.temporal.WeekFields;
import java.util.*;

public class Main {
    public static void main(String[] args) throws ParseException {
        LocalDate day = LocalDate.of(2024, 2, 29);
        for (Locale locale : List.of(Locale.US, Locale.GERMANY, Locale.FRANCE, Locale.ITALY)) {
            System.out.println(DateTimeFormatter.ofPattern("EEEE d MMMM yyyy", locale).format(day)
                .replaceAll("[^ -~]", "?"));
        }
        System.out.println(DateTimeFormatter.ISO_ORDINAL_DATE.format(day) + " " + DateTimeFormatter.BASIC_ISO_DATE.format(day));
        System.out.println(DateTimeFormatter.RFC_1123_DATE_TIME.format(day.atStartOfDay(ZoneOffset.UTC)));
        System.out.println(LocalDate.parse("29/02/2024", DateTimeFormatter.ofPattern("dd/MM/yyyy")));
        System.out.println(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm VV").format(
            ZonedDateTime.of(2024, 1, 1, 5, 6, 0, 0, ZoneId.of("Europe/Paris"))));
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss Z EEE", Locale.US);
        format.setTimeZone(TimeZone.getTimeZone("Asia/Tokyo"));
        System.out.println(format.format(new Date(0)));
        System.out.println(format.parse("2001-02-03 04:05:06 +0900 Sat").getTime());
        try {
            format.parse("yesterday");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        System.out.println(DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.forLanguageTag("es")));
        System.out.println(Month.MAY.getDisplayName(TextStyle.SHORT, Locale.GERMAN));
        System.out.println(new DateFormatSymbols(Locale.ITALY).getMonths()[3]);
        System.out.println(String.format(Locale.US, "%tA %<tB %<td", day));
        System.out.println(WeekFields.of(Locale.US).getFirstDayOfWeek() + " " + WeekFields.of(Locale.GERMANY).getFirstDayOfWeek());
        System.out.println(new MessageFormat("{0,number,#.##} {1}", Locale.US).format(new Object[] {3.14159, "x"}));
        System.out.println(new ChoiceFormat("0#none|1#one|2#many").format(5));
    }
}
