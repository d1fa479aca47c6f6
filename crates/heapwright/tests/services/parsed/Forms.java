package parsed;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.UUID;

/** Reads what a form has in its fields. */
public final class Forms {
    private Forms() {
    }

    public static int birthYear(String text) {
        return LocalDate.parse(text).getYear();
    }

    public static boolean isShortFebruary(String text) {
        LocalDate date = LocalDate.parse(text);
        return !date.isLeapYear();
    }

    public static int idVersion(String text) {
        return UUID.fromString(text).version();
    }

    public static boolean isSafe(String text) {
        return "https".equals(URI.create(text).getScheme());
    }

    public static int digits(String text) {
        return new BigDecimal(text).scale();
    }

    public static long minutes(String text) {
        return Duration.parse(text).toMinutes();
    }

    public static boolean isAddress(String text) {
        return text.matches("[a-z]+@[a-z]+\\.(com|org)");
    }
}
