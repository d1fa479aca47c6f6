package handles.interfaces;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Handles of interface methods, of super methods and of inherited ones. */
public class Main {
    interface Named {
        String name();

        default String extra() {
            return "extra " + name();
        }

        static String fixed() {
            return "fixed";
        }
    }

    static class Base implements Named {
        @Override
        public String name() {
            return "base ";
        }

        String shown() {
            return "shown by base ";
        }
    }

    static class Derived extends Base {
        @Override
        public String name() {
            return "derived ";
        }

        @Override
        String shown() {
            return "shown by derived ";
        }

        static MethodHandle above() throws ReflectiveOperationException {
            return MethodHandles.lookup().findSpecial(Base.class, "shown",
                    MethodType.methodType(String.class), Derived.class);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType text = MethodType.methodType(String.class);
        MethodHandle name = lookup.findVirtual(Named.class, "name", text);
        System.out.println((String) name.invokeExact((Named) new Base()) + name.invoke(new Derived()));
        System.out.println(name.bindTo(new Derived()).invoke());
        MethodHandle shown = lookup.findVirtual(Base.class, "shown", text);
        System.out.println(shown.invoke(new Derived()) + (String) shown.invokeExact(new Base()));
        System.out.println(Derived.above().invoke(new Derived()));
        System.out.println(lookup.findVirtual(Named.class, "extra", text).invoke(new Derived()));
        System.out.println(lookup.findStatic(Named.class, "fixed", text).invoke());
        System.out.println(lookup.findVirtual(Object.class, "toString", text).invoke((Object) "object"));
        System.out.println(lookup.findVirtual(Named.class, "hashCode", MethodType.methodType(int.class))
                .type());
        System.out.println(lookup.findVirtual(int[].class, "clone", MethodType.methodType(Object.class))
                .type().parameterType(0).getSimpleName());
        System.out.println(((Runnable) () -> { }).getClass().isHidden());
        try {
            name.invoke((Named) null);
        } catch (NullPointerException thrown) {
            System.out.println("null");
        }
        try {
            name.invoke((Object) "no name");
        } catch (ClassCastException thrown) {
            System.out.println("cast");
        }
    }
}
