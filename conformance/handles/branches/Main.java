package handles.branches;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Handles that test, catch, clean up, loop and switch. */
public class Main {
    static boolean isBig(int value) {
        return value > 10;
    }

    static int add(int a, int b) {
        return a + b;
    }

    static String fail(String text) {
        if (text.isEmpty()) {
            throw new IllegalStateException("empty");
        }
        return "<" + text + ">";
    }

    static String caught(IllegalStateException thrown, String text) {
        return "caught " + thrown.getMessage() + text;
    }

    static String cleanUp(Throwable thrown, String result, String text) {
        return thrown == null ? result + "+" : "cleaned " + thrown.getMessage();
    }

    static boolean below(int state, int limit) {
        return state < limit;
    }

    static int twice(int state, int limit) {
        return 2 * state;
    }

    static int count(int state, Object element) {
        return state + element.toString().length();
    }

    static MethodType of(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<Main> own = Main.class;
        MethodHandle add = lookup.findStatic(own, "add", of(int.class, int.class, int.class));
        MethodHandle isBig = lookup.findStatic(own, "isBig", of(boolean.class, int.class));
        MethodHandle guard = MethodHandles.guardWithTest(isBig,
                MethodHandles.insertArguments(add, 0, 1000),
                MethodHandles.insertArguments(add, 0, -1000));
        System.out.println((int) guard.invokeExact(11) + " " + (int) guard.invokeExact(3));
        MethodHandle fail = lookup.findStatic(own, "fail", of(String.class, String.class));
        MethodHandle caught = lookup.findStatic(own, "caught",
                of(String.class, IllegalStateException.class, String.class));
        MethodHandle safe = MethodHandles.catchException(fail, IllegalStateException.class, caught);
        System.out.println(safe.invoke("a") + " " + safe.invoke(""));
        MethodHandle cleanUp = lookup.findStatic(own, "cleanUp",
                of(String.class, Throwable.class, String.class, String.class));
        MethodHandle cleaned = MethodHandles.tryFinally(fail, cleanUp);
        System.out.println(cleaned.invoke("b"));
        try {
            cleaned.invoke("");
        } catch (IllegalStateException thrown) {
            System.out.println("thrown again " + thrown.getMessage());
        }
        MethodHandle loop = MethodHandles.countedLoop(MethodHandles.constant(int.class, 5),
                MethodHandles.constant(int.class, 0), add);
        System.out.println((int) loop.invokeExact());
        MethodHandle start = MethodHandles.dropArguments(MethodHandles.constant(int.class, 1), 0,
                int.class);
        MethodHandle below = lookup.findStatic(own, "below",
                of(boolean.class, int.class, int.class));
        MethodHandle twice = lookup.findStatic(own, "twice", of(int.class, int.class, int.class));
        System.out.println(MethodHandles.whileLoop(start, below, twice).invoke(100));
        System.out.println(MethodHandles.doWhileLoop(start, twice, below).invoke(1));
        MethodHandle count = lookup.findStatic(own, "count",
                of(int.class, int.class, Object.class));
        System.out.println(MethodHandles.iteratedLoop(null, MethodHandles.constant(int.class, 0),
                count).invoke(java.util.List.of("ab", "cde")));
        MethodHandle[] cases = {
            MethodHandles.dropArguments(MethodHandles.constant(String.class, "zero"), 0, int.class),
            MethodHandles.dropArguments(MethodHandles.constant(String.class, "one"), 0, int.class)};
        MethodHandle other = MethodHandles.dropArguments(
                MethodHandles.constant(String.class, "other"), 0, int.class);
        MethodHandle chosen = MethodHandles.tableSwitch(other, cases);
        System.out.println(chosen.invoke(0) + " " + chosen.invoke(1) + " " + chosen.invoke(2));
    }
}
