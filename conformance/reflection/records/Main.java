package reflection.records;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Records, enums, member classes and generic types through reflection. */
public class Main {
    record Point(int x, long y, String name, List<String> tags) {
        static int made;

        Point {
            made++;
            if (x < 0) throw new IllegalArgumentException("x");
        }
    }

    record Empty() { }

    enum Color { RED, GREEN { @Override int code() { return 2; } }; int code() { return 1; } }

    static class Outer<T extends Comparable<T>> {
        T value;
        final int fixed = 4;
        static String shared = "s";
        class Inner { }
        interface Nested { }
        private static final class Hidden { private Hidden(String s) { } }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Point.class.isRecord() + " " + Color.class.isRecord() + " " + Empty.class.getRecordComponents().length);
        Point p = new Point(1, 2, "n", List.of("t"));
        for (RecordComponent c : Point.class.getRecordComponents()) {
            System.out.println(c.getName() + " " + c.getType().getSimpleName() + " " + c.getGenericType() + " " + c.getAccessor().invoke(p)
                    + " " + c.getDeclaringRecord().getSimpleName());
        }
        Constructor<?> canonical = Point.class.getDeclaredConstructors()[0];
        System.out.println(canonical.newInstance(5, 6L, "made", null) + " " + Point.made);
        System.out.println(Arrays.toString(canonical.getGenericParameterTypes()) + " " + canonical.toString().contains("Point(int,long"));
        try {
            canonical.newInstance(-1, 1L, "", null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        Field x = Point.class.getDeclaredField("x");
        x.setAccessible(true);
        try {
            x.setInt(p, 3);
        } catch (IllegalAccessException e) {
            System.out.println("records stay as they are " + x.get(p));
        }
        System.out.println(Arrays.toString(Color.class.getEnumConstants()) + " " + Color.GREEN.getClass().isEnum() + " " + Color.GREEN.getDeclaringClass().isEnum()
                + " " + Color.valueOf("RED").code() + Color.GREEN.code());
        Field red = Color.class.getField("RED");
        System.out.println(red.isEnumConstant() + " " + red.get(null) + " " + Modifier.toString(red.getModifiers()));
        try {
            Color.class.getDeclaredConstructors()[0].newInstance("BLUE", 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Class<?>[] members = Outer.class.getDeclaredClasses();
        Arrays.sort(members, (a, b) -> a.getName().compareTo(b.getName()));
        for (Class<?> member : members) {
            System.out.println(member.getSimpleName() + " " + Modifier.toString(member.getModifiers()) + " " + member.getDeclaringClass().getSimpleName());
        }
        Field value = Outer.class.getDeclaredField("value");
        System.out.println(value.getType() + " " + value.getGenericType() + " " + Arrays.toString(Outer.class.getTypeParameters()) + " " + Outer.class.toGenericString());
        Outer<String> o = new Outer<>();
        value.set(o, "v");
        Field fixed = Outer.class.getDeclaredField("fixed");
        try {
            fixed.setInt(o, 5);
        } catch (IllegalAccessException e) {
            System.out.println("final");
        }
        fixed.setAccessible(true);
        fixed.setInt(o, 5);
        System.out.println(o.value + " " + fixed.getInt(o) + " " + fixed.getDouble(o) + " " + Outer.class.getDeclaredField("shared").get(null));
        try {
            fixed.getByte(o);
        } catch (IllegalArgumentException e) {
            System.out.println("narrowing");
        }
        try {
            fixed.get(null);
        } catch (NullPointerException e) {
            System.out.println("no object");
        }
        try {
            fixed.get("other");
        } catch (IllegalArgumentException e) {
            System.out.println("other object");
        }
        System.out.println(Main.class.getDeclaredMethod("pick", List.class).toGenericString());
    }

    static <E extends Number> E pick(List<? super E> from) { return null; }
}
