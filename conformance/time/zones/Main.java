package time.zones;

import java.time.*;
import java.util.*;

public class Main {
    public static void main(String[] args) {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        ZonedDateTime before = ZonedDateTime.of(2024, 3, 31, 1, 59, 0, 0, berlin);
        System.out.println(before.plusMinutes(1) + " " + before.plusDays(1));
        System.out.println(ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, berlin));
        System.out.println(ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 0, berlin).withLaterOffsetAtOverlap());
        System.out.println(berlin.getRules().nextTransition(Instant.EPOCH));
        System.out.println(Instant.EPOCH.atZone(ZoneId.of("Asia/Tokyo")).toLocalTime());
        System.out.println(ZoneId.of("America/New_York").getRules().isDaylightSavings(Instant.parse("2024-07-01T00:00:00Z")));
        System.out.println(ZoneId.getAvailableZoneIds().contains("Pacific/Auckland"));
        System.out.println(before.withZoneSameInstant(ZoneOffset.ofHoursMinutes(5, 30)));
        try {
            ZoneId.of("Mars/Base");
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        TimeZone york = TimeZone.getTimeZone("America/New_York");
        System.out.println(york.getOffset(1_700_000_000_000L) + " " + york.getRawOffset() + " " + york.useDaylightTime());
        System.out.println(TimeZone.getTimeZone("Mars/Base").getID() + " " + TimeZone.getTimeZone("GMT+3").getRawOffset());
        Calendar calendar = new GregorianCalendar(york, Locale.US);
        calendar.clear();
        calendar.set(2024, Calendar.MARCH, 10, 2, 30);
        System.out.println(calendar.getTimeInMillis() + " " + calendar.get(Calendar.HOUR_OF_DAY));
        calendar.add(Calendar.MONTH, 1);
        System.out.println(calendar.get(Calendar.DST_OFFSET) + " " + calendar.getFirstDayOfWeek());
        Clock fixed = Clock.fixed(Instant.ofEpochSecond(86_400), berlin);
        System.out.println(LocalDate.now(fixed) + " " + ZonedDateTime.now(fixed).getHour());
        System.out.println(Duration.between(before, before.plusDays(1)) + " " + Period.between(LocalDate.of(2024, 1, 31), LocalDate.of(2024, 3, 1)));
    }
}
