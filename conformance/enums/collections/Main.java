package enums.collections;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** EnumSet and EnumMap, small and past 64 constants. */
public class Main {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    enum Big {
        A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9,
        D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9,
        G0, G1, G2, G3, G4, G5, G6, G7, G8, G9
    }

    public static void main(String[] args) {
        EnumSet<Day> weekend = EnumSet.of(Day.SUN, Day.SAT);
        EnumSet<Day> week = EnumSet.complementOf(weekend);
        System.out.println(weekend + " " + week + " " + EnumSet.range(Day.TUE, Day.THU) + " " + EnumSet.noneOf(Day.class).isEmpty());
        week.removeAll(EnumSet.of(Day.MON, Day.SUN));
        week.add(Day.SAT);
        week.retainAll(EnumSet.allOf(Day.class));
        System.out.println(week + " " + week.contains(Day.MON) + " " + week.containsAll(weekend) + " " + week.equals(EnumSet.copyOf(week)) + " " + week.size());
        Iterator<Day> it = week.iterator();
        it.next();
        it.remove();
        System.out.println(week.clone() + " " + week.add(Day.WED) + " " + week.remove("WED"));
        EnumSet<Big> big = EnumSet.range(Big.G1, Big.G5);
        big.addAll(EnumSet.range(Big.A8, Big.B1));
        System.out.println(big + " " + big.size() + " " + EnumSet.complementOf(big).size() + " " + EnumSet.allOf(Big.class).containsAll(big));
        try {
            EnumSet.range(Day.FRI, Day.MON);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        EnumMap<Day, Integer> hours = new EnumMap<>(Day.class);
        hours.put(Day.FRI, 6);
        hours.put(Day.MON, 8);
        hours.merge(Day.FRI, 1, Integer::sum);
        hours.put(Day.WED, null);
        System.out.println(hours + " " + hours.get(Day.TUE) + " " + hours.containsKey(Day.WED) + " " + hours.containsValue(null) + " " + hours.keySet() + " " + hours.values());
        hours.replaceAll((d, h) -> h == null ? d.ordinal() : h * 10);
        for (Map.Entry<Day, Integer> e : hours.entrySet()) e.setValue(e.getValue() + 1);
        System.out.println(hours + " " + hours.equals(Map.of(Day.FRI, 71, Day.MON, 81, Day.WED, 3)) + " " + hours.remove(Day.MON) + " " + new EnumMap<>(hours).size());
        try {
            hours.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
        Map<Day, Long> counts = Stream.of("MON", "SUN", "MON").map(Day::valueOf).collect(Collectors.groupingBy(d -> d, () -> new EnumMap<>(Day.class), Collectors.counting()));
        System.out.println(counts + " " + Arrays.stream(Day.values()).filter(weekend::contains).map(Day::name).collect(Collectors.joining("|")));
        try {
            Day.valueOf("NEVER");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Enum.valueOf(Big.class, "G9").ordinal() + " " + Day.MON.compareTo(Day.SUN) + " " + Day.class.getEnumConstants().length);
    }
}
