package reflection.namespaces;

import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Loaders that define classes of the same names, each in a name space of its own. */
public final class Main {
    public interface Animal {
        String sound();
    }

    public static class Base implements Animal {
        static int made;

        public Base() {
            made++;
        }

        public String sound() {
            return "base " + made;
        }
    }

    public static class Derived extends Base {
        Partner partner = new Partner();

        @Override
        public String sound() {
            Supplier<String> text = () -> super.sound() + " " + partner.name();
            return text.get();
        }

        public Partner[] partners(Partner... more) {
            return more.length == 0 ? new Partner[] {partner} : more;
        }

        public static boolean isOne(Object object) {
            return object instanceof Derived;
        }

        public static Object cast(Object object) {
            return (Derived) object;
        }

        public Object missing() {
            return new Missing();
        }
    }

    public static class Partner {
        String name() {
            return "partner of " + getClass().getClassLoader();
        }
    }

    public static class Missing {
    }

    static class Own extends ClassLoader {
        final String name;
        final List<String> asked = new ArrayList<>();

        Own(String name) {
            super(Main.class.getClassLoader());
            this.name = name;
        }

        @Override
        protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
            if (!wanted.startsWith("reflection.namespaces.Main$") || wanted.endsWith("Animal")) {
                return super.loadClass(wanted, resolve);
            }
            Class<?> known = findLoadedClass(wanted);
            if (known != null) {
                return known;
            }
            asked.add(wanted.substring(wanted.indexOf('$') + 1));
            if (wanted.endsWith("Missing")) {
                throw new ClassNotFoundException("hidden: " + wanted);
            }
            try (InputStream in = Main.class.getResourceAsStream(wanted.substring(22) + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(wanted, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(wanted, e);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Returns null or another class than the one that was asked for. */
    static class Wrong extends ClassLoader {
        @Override
        protected Class<?> findClass(String name) {
            return name.endsWith("other") ? String.class : null;
        }
    }

    public static void main(String[] args) throws Exception {
        String name = "reflection.namespaces.Main$Derived";
        Own first = new Own("first");
        Own second = new Own("second");
        Class<?> one = first.loadClass(name);
        Class<?> two = Class.forName(name, true, second);
        System.out.println((one == two) + " " + (one == Derived.class) + " " + one.getName().equals(two.getName()));
        System.out.println(one.getClassLoader() + " " + two.getSuperclass().getClassLoader() + " " + one.getInterfaces().length);
        Animal a = (Animal) one.getConstructor().newInstance();
        Animal b = (Animal) two.getConstructor().newInstance();
        two.getConstructor().newInstance();
        System.out.println(a.sound());
        System.out.println(b.sound());
        System.out.println(new Derived().sound().startsWith("base 1 partner of "));
        System.out.println(a instanceof Derived);
        Method isOne = one.getMethod("isOne", Object.class);
        System.out.println(isOne.invoke(null, a) + " " + isOne.invoke(null, b) + " " + Derived.isOne(a));
        try {
            two.getMethod("cast", Object.class).invoke(null, a);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getClass().getName());
        }
        try {
            one.getMethod("missing").invoke(a);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
            System.out.println(e.getCause().getCause());
        }
        for (Method method : one.getDeclaredMethods()) {
            if (method.getName().equals("partners")) {
                Class<?> partner = method.getReturnType().getComponentType();
                System.out.println(partner.getClassLoader() + " " + (partner == Partner.class) + " " + method.getReturnType().getClassLoader());
                Object array = method.invoke(a, Array.newInstance(partner, 0));
                System.out.println(Array.getLength(array) + " " + (Array.get(array, 0).getClass() == partner));
            }
        }
        System.out.println(Class.forName("[L" + name + ";", false, first) == Array.newInstance(one, 0).getClass());
        System.out.println((one.getModule() == first.getUnnamedModule()) + " " + one.getModule().isNamed() + " " + (one.getProtectionDomain() == two.getProtectionDomain()));
        System.out.println(first.asked);
        System.out.println(second.asked);
        try (InputStream in = Main.class.getResourceAsStream("Main$Base.class")) {
            byte[] bytes = in.readAllBytes();
            new ClassLoader() {
                Class<?> twice() {
                    defineClass(null, bytes, 0, bytes.length);
                    return defineClass(null, bytes, 0, bytes.length);
                }
            }.twice();
        } catch (LinkageError e) {
            System.out.println(e.getClass().getName());
        }
        for (String wanted : new String[] {"some.other", "some.thing"}) {
            try {
                System.out.println(Class.forName(wanted, false, new Wrong()));
            } catch (ClassNotFoundException e) {
                System.out.println("not found: " + e.getMessage());
            }
        }
        new ClassLoader() {
            void find() {
                System.out.println(findLoadedClass(null) + " " + findLoadedClass("no.such.Thing"));
            }
        }.find();
    }
}
