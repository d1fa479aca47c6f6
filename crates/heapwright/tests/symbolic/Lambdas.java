import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Predicate;

/** Arguments and fields of functional interfaces that no class implements. */
public class Lambdas {
    /** An interface of the program. */
    public interface Clock {
        long now();
    }

    private Clock clock;

    public static int tests(Predicate<String> wanted, int number) {
        if (wanted.test("a")) {
            return number > 3 ? 1 : 2;
        }
        return 3;
    }

    public static int maps(Function<String, Integer> length) {
        Integer found = length.apply("a");
        return found != null && found == 42 ? 1 : 2;
    }

    public static int compares(Comparator<String> order) {
        return order.compare("a", "b") > 0 ? 1 : 2;
    }

    public static int runs(Runnable action) {
        action.run();
        return 7;
    }

    public static boolean isSame(Runnable one, Runnable other) {
        return one == other;
    }

    public boolean isLate(long limit) {
        return clock.now() > limit;
    }

    public static int makes(Function<String, int[]> maker) {
        return maker.apply("a") == null ? 1 : 2;
    }
}
