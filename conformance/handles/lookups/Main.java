package handles.lookups;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Handles of methods, constructors and fields, and how they are called. */
public class Main {
    int number = 3;
    static String word = "word";

    Main() {
    }

    Main(int number) {
        this.number = number;
    }

    static int add(int a, int b) {
        return a + b;
    }

    static long wide(long a, double b, byte c) {
        return a + (long) b + c;
    }

    String greet(String name) {
        return "hi " + name + number;
    }

    private int secret(long factor) {
        return (int) factor * number;
    }

    static void nothing() {
        word += "!";
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(Main.class, "add",
                MethodType.methodType(int.class, int.class, int.class));
        System.out.println((int) add.invokeExact(1, 2));
        System.out.println(add.invoke(3, 4));
        System.out.println((long) add.invoke((byte) 3, 'a'));
        System.out.println((Object) add.invoke((Integer) 5, (short) 6));
        System.out.println(add.invokeWithArguments(5, 6));
        System.out.println(add + " " + add.type());
        MethodHandle wide = lookup.findStatic(Main.class, "wide",
                MethodType.methodType(long.class, long.class, double.class, byte.class));
        System.out.println((long) wide.invokeExact(1L << 40, 2.9, (byte) -1));
        MethodHandle greet = lookup.findVirtual(Main.class, "greet",
                MethodType.methodType(String.class, String.class));
        System.out.println((String) greet.invokeExact(new Main(), "x"));
        System.out.println(greet.bindTo(new Main(9)).invoke("y"));
        MethodHandle make = lookup.findConstructor(Main.class,
                MethodType.methodType(void.class, int.class));
        System.out.println(((Main) make.invokeExact(7)).number);
        MethodHandle secret = lookup.findSpecial(Main.class, "secret",
                MethodType.methodType(int.class, long.class), Main.class);
        System.out.println((int) secret.invokeExact(new Main(4), 5L));
        MethodHandle get = lookup.findGetter(Main.class, "number", int.class);
        MethodHandle set = lookup.findSetter(Main.class, "number", int.class);
        Main object = new Main();
        set.invokeExact(object, 42);
        System.out.println((int) get.invokeExact(object));
        System.out.println(lookup.findStaticGetter(Main.class, "word", String.class).invoke());
        lookup.findStaticSetter(Main.class, "word", String.class).invoke("other");
        lookup.findStatic(Main.class, "nothing", MethodType.methodType(void.class)).invokeExact();
        System.out.println(word);
        MethodHandle compare = lookup.findVirtual(Comparable.class, "compareTo",
                MethodType.methodType(int.class, Object.class));
        System.out.println((int) compare.invoke((Comparable<?>) "a", (Object) "b"));
        System.out.println(lookup.unreflect(Main.class.getDeclaredMethod("add", int.class, int.class))
                .invoke(2, 2));
        System.out.println(lookup.revealDirect(add).getName() + " " + lookup.revealDirect(greet));
    }
}
