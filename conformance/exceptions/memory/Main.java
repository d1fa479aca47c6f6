package exceptions.memory;

import java.util.ArrayList;
import java.util.List;

/** Arrays that no memory holds: errors that a program catches, and goes on. */
public class Main {
    private static Object kept;

    private static void attempt(String name, Runnable run) {
        try {
            run.run();
            System.out.println(name + ": made");
        } catch (OutOfMemoryError error) {
            System.out.println(name + ": " + error.getMessage());
        } catch (NegativeArraySizeException exception) {
            System.out.println(name + " negative: " + exception.getMessage());
        } finally {
            kept = null;
        }
    }

    public static void main(String[] args) {
        attempt("longest", () -> kept = new byte[Integer.MAX_VALUE]);
        attempt("one less", () -> kept = new Object[Integer.MAX_VALUE - 1]);
        attempt("grid", () -> kept = new long[1 << 12][Integer.MAX_VALUE - 2]);
        attempt("negative", () -> kept = new int[-1]);
        attempt("reflection", () -> kept = java.lang.reflect.Array.newInstance(int.class, Integer.MAX_VALUE));
        attempt("builder", () -> {
            StringBuilder builder = new StringBuilder();
            builder.append("x");
            builder.ensureCapacity(1000);
            kept = builder;
        });
        List<String> after = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            after.add("after " + i);
        }
        System.out.println(after.size() + after.get(99));
    }
}
