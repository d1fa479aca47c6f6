import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs that a limit or a refusal may end at any place, with code around that would catch an exception. */
public class Ends {
    private static int counted;

    static class Slow {
        static final int SUM;

        static {
            int sum = 0;
            for (int i = 0; i < 200; i++) {
                sum += i;
            }
            counted++;
            SUM = sum;
        }
    }

    static class SlowBelow extends Slow {
        static final int MORE = Slow.SUM + new BitSet(9).size();
    }

    static class Failing {
        static int value = Integer.parseInt("no number");
    }

    static class Refused {
        static final boolean IS_MADE = new java.io.File("x").mkdir();
        static int value = 3;
    }

    static class Hungry {
        static byte[] bytes = new byte[400_000_000];
        static int value = bytes.length;
    }

    private static boolean refuse() {
        return new java.io.File("x").mkdir();
    }

    static int initialisers() {
        try {
            return SlowBelow.MORE + Slow.SUM + counted;
        } catch (Throwable thrown) {
            return -1;
        } finally {
            counted += 10;
        }
    }

    static int twice() {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            try {
                sum += SlowBelow.MORE;
            } catch (NoClassDefFoundError | ExceptionInInitializerError error) {
                sum -= 1000;
            }
        }
        return sum;
    }

    static String failing() {
        String text = "";
        for (int i = 0; i < 2; i++) {
            try {
                text += Failing.value;
            } catch (Throwable thrown) {
                text += thrown.getClass().getSimpleName();
            }
        }
        return text;
    }

    static int thrown() {
        return Failing.value;
    }

    static String library() {
        return new TreeSet<>(List.of("b", "a")) + Locale.ROOT.toString() + new BitSet(3);
    }

    static String streams() {
        try {
            return Stream.of(3, 1, 2).sorted((a, b) -> b - a).map(i -> i * i + Slow.SUM)
                .map(String::valueOf).collect(Collectors.joining(","));
        } catch (RuntimeException | Error error) {
            return "caught";
        }
    }

    private static int deeper(int n) {
        return deeper(n + 1) + 1;
    }

    static int deep() {
        try {
            return deeper(0);
        } catch (StackOverflowError full) {
            return Slow.SUM;
        }
    }

    static int refusedInitialiser() {
        try {
            return Refused.value;
        } catch (Throwable thrown) {
            return -1;
        } finally {
            counted++;
        }
    }

    static int refusedTwice() {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            try {
                sum += Refused.value;
            } catch (NoClassDefFoundError | ExceptionInInitializerError error) {
                sum -= 1000;
            }
        }
        return sum;
    }

    static int refusedComparator() {
        try {
            List<Integer> list = new ArrayList<>(List.of(2, 1));
            list.sort((a, b) -> refuse() ? a - b : b - a);
            return list.get(0);
        } catch (Throwable thrown) {
            return -1;
        }
    }

    static long refusedStream() {
        try {
            return Stream.of(1, 2).filter(i -> refuse()).count();
        } catch (Throwable thrown) {
            return -1;
        }
    }

    static int hungry() {
        try {
            return Hungry.value;
        } catch (Throwable thrown) {
            return -1;
        }
    }
}
