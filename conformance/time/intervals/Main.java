package time.intervals;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;

/** Durations, periods and units between dates. */
public class Main {
    public static void main(String[] args) {
        Duration duration = Duration.ofHours(25).plusMinutes(61).plusNanos(5);
        System.out.println(duration + " " + duration.toDaysPart() + " " + duration.toHoursPart() + " "
                + duration.toMinutesPart() + " " + duration.getNano());
        System.out.println(Duration.parse("PT-1H30.5S") + " " + Duration.ofSeconds(7).dividedBy(2) + " "
                + Duration.ofMillis(-1).abs().compareTo(Duration.ZERO));
        Period period = Period.between(LocalDate.of(2020, 1, 31), LocalDate.of(2021, 3, 1));
        System.out.println(period + " " + period.toTotalMonths() + " " + period.normalized() + " "
                + Period.parse("P1Y2M3W4D"));
        System.out.println(LocalDate.of(2020, 1, 31).plus(Period.ofMonths(1)) + " "
                + LocalDate.of(2020, 2, 29).plusYears(1) + " " + LocalDate.of(2019, 12, 30)
                .get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(2020, 1, 1), LocalDate.of(2021, 1, 1)) + " "
                + ChronoUnit.HOURS.between(LocalDateTime.of(2020, 1, 1, 0, 30), LocalDateTime.of(2020, 1, 2,
                0, 0)));
        System.out.println(LocalDate.of(2024, 5, 15).with(TemporalAdjusters.lastInMonth(DayOfWeek.FRIDAY))
                + " " + LocalDate.of(2024, 5, 15).with(TemporalAdjusters.firstDayOfNextMonth()));
        System.out.println(YearMonth.of(2023, 2).lengthOfMonth() + " " + Year.isLeap(1900) + " "
                + MonthDay.of(2, 29).isValidYear(2023));
        System.out.println(LocalTime.of(23, 59).plusMinutes(2) + " " + LocalTime.MIDNIGHT.minusNanos(1));
        System.out.println(Instant.ofEpochSecond(1_000_000_000).atOffset(ZoneOffset.ofHours(2)) + " "
                + Instant.EPOCH.minusMillis(1));
        System.out.println(ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, ZoneId.of("Europe/Berlin")) + " "
                + ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"))
                        .withLaterOffsetAtOverlap());
        try {
            LocalDate.of(2023, 2, 29);
        } catch (DateTimeException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
