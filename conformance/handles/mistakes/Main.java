package handles.mistakes;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Exceptions of lookups and calls. */
public class Main {
    static int twice(int value) {
        return 2 * value;
    }

    int own() {
        return 1;
    }

    private static int hidden() {
        return 1;
    }

    interface Attempt {
        Object make() throws Throwable;
    }

    static void attempt(Attempt attempt) {
        try {
            System.out.println(attempt.make());
        } catch (Throwable thrown) {
            System.out.println(thrown.getClass().getName());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType unary = MethodType.methodType(int.class, int.class);
        MethodHandle twice = lookup.findStatic(Main.class, "twice", unary);
        attempt(() -> (Object) twice.invokeExact(1));
        attempt(() -> (int) twice.invokeExact((short) 1));
        attempt(() -> (int) twice.invokeExact(1));
        attempt(() -> twice.invoke("text"));
        attempt(() -> twice.invoke((Object) "text"));
        attempt(() -> twice.invoke((Integer) null));
        attempt(() -> twice.invoke());
        attempt(() -> twice.invokeWithArguments(1, 2));
        attempt(() -> lookup.findStatic(Main.class, "missing", unary));
        attempt(() -> lookup.findStatic(Main.class, "own", MethodType.methodType(int.class)));
        attempt(() -> lookup.findVirtual(Main.class, "twice", unary));
        attempt(() -> lookup.findGetter(Main.class, "missing", int.class));
        attempt(() -> lookup.findConstructor(Main.class, unary.changeReturnType(void.class)));
        attempt(() -> MethodHandles.publicLookup().findStatic(Main.class, "hidden",
                MethodType.methodType(int.class)));
        attempt(() -> lookup.findVirtual(Main.class, "own", MethodType.methodType(int.class))
                .invoke((Main) null));
        attempt(() -> MethodHandles.insertArguments(twice, 0, "text"));
        attempt(() -> MethodHandles.insertArguments(twice, 1, 1));
        attempt(() -> twice.asType(MethodType.methodType(String.class, int.class)));
        attempt(() -> twice.asType(MethodType.methodType(Object.class, Object.class)).invoke("s"));
        attempt(() -> MethodHandles.throwException(int.class, IllegalStateException.class)
                .invoke(new IllegalStateException("thrown")));
        attempt(() -> MethodType.methodType(int.class, void.class));
    }
}
