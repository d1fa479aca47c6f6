package records.compact;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;

/** Records: compact constructors, nested patterns, generics, interfaces. */
public class Main {
    record Range(int low, int high) implements Comparable<Range> {
        static int count;

        Range {
            if (low < 0) {
                throw new IllegalArgumentException("negative");
            }
            if (low > high) {
                int swap = low;
                low = high;
                high = swap;
            }
            count++;
        }

        static Range of(int single) {
            return new Range(single, single);
        }

        int length() {
            return high - low;
        }

        @Override
        public int compareTo(Range other) {
            return Integer.compare(length(), other.length());
        }
    }

    record Pair<A, B>(A first, B second) {
        Pair<B, A> swap() {
            return new Pair<>(second, first);
        }
    }

    record Empty() {
    }

    public static void main(String[] args) throws Exception {
        Range range = new Range(5, 2);
        System.out.println(range + " " + range.low() + " " + range.equals(new Range(2, 5)) + " "
                + (range.hashCode() == new Range(2, 5).hashCode()));
        Pair<String, Range> pair = new Pair<>("p", range);
        System.out.println(pair + " " + pair.second().length() + " " + pair.swap());
        System.out.println(Range.of(7) + " " + Range.count);
        try {
            new Range(-1, 0);
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage());
        }
        for (RecordComponent component : Pair.class.getRecordComponents()) {
            System.out.println(component + " " + component.getAccessor().invoke(pair));
        }
        System.out.println(Pair.class.isRecord() + " " + Modifier.isFinal(Pair.class.getModifiers()) + " "
                + new Empty() + new Empty().equals(new Empty()));
        record Local(int[] values, double real) {
        }
        Local local = new Local(new int[1], Double.NaN);
        System.out.println(local.equals(new Local(local.values(), Double.NaN)) + " "
                + local.equals(new Local(new int[1], Double.NaN)) + " " + new Local(null, -0.0).equals(
                        new Local(null, 0.0)));
        Object object = pair;
        if (object instanceof Pair<?, ?> found && found.second() instanceof Range inner) {
            System.out.println(inner.high());
        }
    }
}
