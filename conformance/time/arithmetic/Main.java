package time.arithmetic;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/** Dates, times, durations and periods: arithmetic and text. */
public final class Main {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 1, 31);
        System.out.println(d.plusMonths(1) + " " + d.minusYears(1).plusMonths(1) + " " + d.plusWeeks(5) + " " + d.getDayOfWeek() + " " + d.lengthOfYear() + " " + d.getDayOfYear() + " " + d.isLeapYear());
        System.out.println(d.with(TemporalAdjusters.firstInMonth(DayOfWeek.FRIDAY)) + " " + d.with(TemporalAdjusters.lastDayOfYear()) + " " + ChronoUnit.DAYS.between(d, LocalDate.of(2000, 2, 29)) + " " + Period.between(LocalDate.of(2020, 2, 29), d) + " " + LocalDate.ofEpochDay(-1) + " " + LocalDate.ofYearDay(2023, 365));
        LocalTime t = LocalTime.of(23, 59, 58, 7000000);
        System.out.println(t + " " + t.plusSeconds(3) + " " + t.truncatedTo(ChronoUnit.HOURS) + " " + LocalTime.parse("10:15:30").toSecondOfDay() + " " + t.minusNanos(8000000));
        LocalDateTime dt = d.atTime(t);
        System.out.println(dt + " " + dt.plusHours(25) + " " + dt.toEpochSecond(ZoneOffset.UTC) + " " + dt.atOffset(ZoneOffset.ofHoursMinutes(5, 30)) + " " + dt.isBefore(dt.plusNanos(1)));
        Duration u = Duration.ofSeconds(93784, 500000000);
        System.out.println(u + " " + u.toHours() + " " + u.toMinutesPart() + " " + u.negated() + " " + u.dividedBy(7) + " " + Duration.parse("PT-1.5S").toMillis() + " " + Duration.between(t, LocalTime.NOON) + " " + Duration.ZERO);
        System.out.println(Instant.ofEpochSecond(1234567890) + " " + Instant.EPOCH.plusMillis(-1) + " " + Instant.parse("2001-09-09T01:46:40Z").getEpochSecond());
        System.out.println(Period.of(1, 14, 40).normalized() + " " + Period.parse("P2W") + " " + Year.of(1900).isLeap() + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + Month.JANUARY.minus(2) + " " + DayOfWeek.MONDAY.plus(-1));
        for (String bad : new String[] {"2023-02-29", "2023-13-01", "x"}) {
            try {
                System.out.println(LocalDate.parse(bad));
            } catch (java.time.format.DateTimeParseException e) {
                System.out.println("no date " + e.getErrorIndex());
            }
        }
    }
}
