package parsed;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Books a table at a day, under a number. */
public class Booking {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("dd.MM.yyyy");
    private final Pattern number = Pattern.compile("([A-Z]{2})-(\\d{4,6})(?:/(\\w+))?");

    public String day(String text) {
        LocalDate date;
        try {
            date = LocalDate.parse(text, DAY);
        } catch (DateTimeParseException refused) {
            return "no day";
        }
        if (date.getDayOfWeek() == DayOfWeek.SUNDAY) {
            return "closed";
        }
        return date.isBefore(LocalDate.of(1990, 1, 1)) ? "past" : "open";
    }

    public String table(String text) {
        Matcher matcher = number.matcher(text);
        if (!matcher.matches()) {
            return "none";
        }
        return matcher.group(3) == null ? matcher.group(1) : matcher.group(3);
    }
}
