package enums.basics;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** Enums: constants, order, fields, valueOf, comparison, EnumMap and EnumSet. */
public class Main {
    enum Planet {
        MERCURY(3.3e23, 2.44e6), EARTH(5.97e24, 6.37e6), JUPITER(1.9e27, 7.15e7);

        private final double mass, radius;
        static int made;

        static {
            made = values().length;
        }

        Planet(double mass, double radius) {
            this.mass = mass;
            this.radius = radius;
        }

        long density() {
            return (long) (mass / (radius * radius * radius));
        }
    }

    enum Empty { }

    enum Single implements Runnable {
        INSTANCE;

        int runs;

        @Override
        public void run() {
            runs++;
        }
    }

    enum Colour {
        RED, GREEN, BLUE;

        Colour next() {
            return values()[(ordinal() + 1) % values().length];
        }

        @Override
        public String toString() {
            return name().toLowerCase();
        }
    }

    public static void main(String[] args) {
        for (Planet p : Planet.values()) {
            System.out.println(p + " " + p.ordinal() + " " + p.name() + " " + p.density());
        }
        System.out.println(Planet.made + " " + Empty.values().length);
        System.out.println(Planet.valueOf("EARTH") == Planet.EARTH);
        try {
            Planet.valueOf("PLUTO");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Planet.valueOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        Single.INSTANCE.run();
        Single.INSTANCE.run();
        System.out.println(Single.INSTANCE.runs);
        System.out.println(Colour.RED.compareTo(Colour.BLUE) + " " + Colour.RED.equals(Colour.RED) + " " + Colour.BLUE.next() + " " + Colour.RED.getDeclaringClass());
        Colour[] values = Colour.values();
        values[0] = null;
        System.out.println(Arrays.toString(Colour.values()) + " " + Enum.valueOf(Colour.class, "GREEN"));
        Map<Colour, Integer> map = new EnumMap<>(Colour.class);
        map.put(Colour.BLUE, 3);
        map.put(Colour.RED, 1);
        map.merge(Colour.BLUE, 10, Integer::sum);
        System.out.println(map + " " + map.get(Colour.GREEN) + " " + map.containsKey(Colour.RED) + " " + map.size());
        map.put(Colour.GREEN, null);
        map.remove(Colour.RED);
        System.out.println(map.keySet() + " " + map.values() + " " + map.entrySet());
        EnumSet<Colour> set = EnumSet.of(Colour.BLUE, Colour.RED);
        System.out.println(set + " " + EnumSet.complementOf(set) + " " + EnumSet.allOf(Colour.class) + " " + EnumSet.noneOf(Planet.class)
                + " " + EnumSet.range(Colour.GREEN, Colour.BLUE) + " " + set.contains(Colour.RED) + " " + set.add(Colour.RED));
        set.removeIf(c -> c == Colour.RED);
        System.out.println(set);
        System.out.println(Colour.RED.getClass() == Colour.class);
        System.out.println(Colour.class.isEnum() + " " + Colour.class.getEnumConstants().length);
        System.out.println(Thread.State.valueOf("NEW").ordinal());
    }
}
