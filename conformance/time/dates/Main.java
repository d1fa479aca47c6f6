package time.dates;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.Period;
import java.time.Year;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/** Local dates and times without zones or clocks. */
public class Main {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d + " " + d.plusYears(1) + " " + d.minusMonths(12) + " " + d.plusDays(366) + " " + d.isLeapYear() + " " + d.lengthOfMonth() + " " + d.getDayOfWeek() + " " + d.getDayOfYear());
        System.out.println(d.withMonth(4) + " " + d.with(TemporalAdjusters.lastDayOfYear()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.toEpochDay() + " " + LocalDate.ofEpochDay(-1));
        LocalDate e = LocalDate.parse("1999-12-31");
        System.out.println(e.isBefore(d) + " " + e.compareTo(d) + " " + ChronoUnit.DAYS.between(e, d) + " " + Period.between(e, d) + " " + e.until(d, ChronoUnit.MONTHS) + " " + e.equals(LocalDate.of(1999, Month.DECEMBER, 31)));
        LocalTime t = LocalTime.of(23, 59, 30);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.minusHours(24) + " " + t.toSecondOfDay() + " " + LocalTime.MIDNIGHT + " " + LocalTime.parse("10:15") + " " + LocalTime.of(1, 2, 3, 4000));
        LocalDateTime dt = LocalDateTime.of(d, t);
        System.out.println(dt + " " + dt.plusMinutes(1) + " " + dt.truncatedTo(ChronoUnit.HOURS) + " " + dt.toLocalDate().atStartOfDay());
        Duration x = Duration.ofMinutes(135).plusMillis(500);
        System.out.println(x + " " + x.toHours() + " " + x.toMinutesPart() + " " + x.negated() + " " + Duration.between(t, LocalTime.NOON) + " " + Duration.parse("PT1H").compareTo(x));
        System.out.println(Period.of(1, 14, 3).normalized() + " " + Period.parse("P2W") + " " + DayOfWeek.FRIDAY.plus(4) + " " + Month.JANUARY.minus(1) + " " + Year.isLeap(1900) + " " + Month.of(2).maxLength());
        try {
            LocalDate.of(2023, 2, 29);
        } catch (DateTimeException ex) {
            System.out.println(ex.getMessage());
        }
        try {
            LocalDate.of(2023, 13, 1);
        } catch (DateTimeException ex) {
            System.out.println(ex.getMessage());
        }
        try {
            LocalDate.parse("2023/01/01");
        } catch (DateTimeException ex) {
            System.out.println(ex.getMessage());
        }
        System.out.println(d.hashCode() + " " + java.time.Instant.ofEpochSecond(86399) + " " + java.time.Instant.EPOCH.plusMillis(1));
    }
}
