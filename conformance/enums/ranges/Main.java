package enums.ranges;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;

/** EnumSet and EnumMap: ranges, complements, bulk operations, large universes. */
public final class Main {
    enum Planet { MERCURY, VENUS, EARTH, MARS, JUPITER, SATURN, URANUS, NEPTUNE }

    enum Wide {
        A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9,
        D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9,
        G0, G1, G2, G3, G4, G5, G6, G7, G8, G9
    }

    public static void main(String[] args) {
        EnumSet<Planet> inner = EnumSet.range(Planet.MERCURY, Planet.MARS);
        System.out.println(inner + " " + EnumSet.complementOf(inner) + " " + EnumSet.noneOf(Planet.class) + " " + EnumSet.allOf(Planet.class).size());
        EnumSet<Planet> some = EnumSet.of(Planet.SATURN, Planet.EARTH, Planet.VENUS);
        some.addAll(EnumSet.of(Planet.URANUS));
        some.removeAll(inner);
        System.out.println(some + " " + some.contains(null) + " " + some.containsAll(EnumSet.of(Planet.SATURN)) + " " + some.equals(java.util.Set.of(Planet.URANUS, Planet.SATURN)));
        for (Iterator<Planet> it = inner.iterator(); it.hasNext();) {
            if (it.next().ordinal() % 2 == 0) {
                it.remove();
            }
        }
        System.out.println(inner + " " + inner.clone().retainAll(some));
        EnumSet<Wide> wide = EnumSet.range(Wide.C5, Wide.G2);
        wide.removeIf(w -> w.name().charAt(1) % 3 != 0);
        System.out.println(wide + " " + EnumSet.complementOf(wide).size() + " " + wide.contains(Wide.G0));
        wide.remove(Wide.G0);
        wide.add(Wide.G9);
        System.out.println(wide.stream().map(Enum::name).collect(Collectors.joining("")));
        EnumMap<Planet, Integer> m = new EnumMap<>(Planet.class);
        for (Planet p : Planet.values()) {
            m.put(p, p.name().length());
        }
        m.remove(Planet.VENUS);
        m.keySet().removeIf(p -> p.compareTo(Planet.URANUS) > 0);
        m.replaceAll((p, n) -> n * p.ordinal());
        System.out.println(m + " " + m.containsValue(15) + " " + m.get(Planet.VENUS));
        for (Map.Entry<Planet, Integer> e : m.entrySet()) {
            e.setValue(-e.getValue());
        }
        System.out.println(m.values() + " " + m.equals(Map.copyOf(m)));
        try {
            Planet.valueOf("PLUTO");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            some.add(null);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
        System.out.println(Arrays.stream(Planet.class.getEnumConstants()).filter(p -> p.name().endsWith("S")).collect(Collectors.toCollection(() -> EnumSet.noneOf(Planet.class))));
        System.out.println("" + Arrays.stream(Planet.values()).collect(Collectors.groupingBy(p -> p.name().length(), java.util.TreeMap::new, Collectors.counting())));
    }
}
