package classes.names;

import java.util.Map;

/** Class objects: names of every kind, hierarchy, modifiers-free facts, literals. */
public class Main {
    static class Nested { }
    class Inner { }
    interface Face { }
    enum Kind { A { }, B }
    @interface Note { }

    static void show(Class<?> c) {
        System.out.println(c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | " + c.getCanonicalName()
                + " | " + c + " | " + c.getPackageName() + " | " + c.getSuperclass());
        System.out.println("  " + c.isInterface() + c.isArray() + c.isPrimitive() + c.isEnum() + c.isAnnotation()
                + c.isAnonymousClass() + c.isLocalClass() + c.isMemberClass());
    }

    public static void main(String[] args) throws Exception {
        class Local { }
        Object anonymous = new Object() { };
        Class<?>[] all = {Main.class, Nested.class, Inner.class, Face.class, Kind.class, Kind.A.getClass(), Note.class,
            Local.class, anonymous.getClass(), Map.Entry.class, Object.class, int.class, void.class, double.class, int[].class,
            String[][].class, Nested[].class, Integer.class};
        for (Class<?> c : all) {
            show(c);
        }
        System.out.println(args.length);
        System.out.println("s".getClass() == String.class);
        System.out.println(new int[0].getClass() == int[].class);
        System.out.println(Integer.TYPE == int.class);
        System.out.println(Class.forName("java.lang.String") == String.class);
        System.out.println(Class.forName("[I") == int[].class);
        System.out.println(Class.forName("[Ljava.lang.String;") == String[].class);
        System.out.println(Class.forName("classes.names.Main$Nested").getSimpleName());
        System.out.println(Nested.class.getEnclosingClass() + " " + Nested.class.getDeclaringClass() + " " + Main.class.getEnclosingClass());
        System.out.println(Number.class.isAssignableFrom(Integer.class) + " " + Integer.class.isAssignableFrom(Number.class)
                + " " + Object[].class.isAssignableFrom(String[].class) + " " + Object.class.isInstance(3));
        System.out.println(java.util.Arrays.toString(java.util.ArrayList.class.getInterfaces()));
        System.out.println(String.class.cast("cast") + " " + int[].class.getComponentType() + " " + String.class.getComponentType());
        try {
            Integer.class.cast("no");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        for (String bad : new String[] {"int", "java/lang/String", "none.Such", "[Lnone;"}) {
            try {
                System.out.println(Class.forName(bad));
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Main.class.desiredAssertionStatus() + " " + Kind.B.getDeclaringClass().getSimpleName());
    }
}
