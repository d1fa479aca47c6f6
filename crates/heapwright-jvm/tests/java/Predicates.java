// Predicates in passes, and methods that do and do not write to what was there before.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

public class Predicates {
    Cell first;
    int size;
    static int calls;
    static Cell shared;

    static class Cell {
        Cell next;
        int value;

        void mark() {
            value = 1;
        }
    }

    /** An object that no structure has. */
    static class Counter {
        int count;

        void more() {
            count++;
        }
    }

    enum Colour {
        RED,
        BLACK
    }

    // Passes.

    boolean isShort() {
        int count = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            count++;
            if (count > 3) {
                return false;
            }
        }
        return count == size;
    }

    boolean isRising() {
        for (Cell cell = first; cell != null && cell.next != null; cell = cell.next) {
            if (cell.next.value < cell.value) {
                return false;
            }
        }
        return true;
    }

    private boolean no(String why) {
        return false;
    }

    // Predicates with cuts.

    boolean oneByOne() {
        if (!isShort()) {
            return false;
        }
        if (!isRising()) {
            return no("not rising");
        }
        return true;
    }

    boolean conjunction() {
        return isShort() && isRising() && size != 2;
    }

    boolean inline() {
        int count = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            count++;
        }
        if (count != size) {
            return false;
        }
        int sum = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            sum += cell.value;
        }
        return sum > 2;
    }

    boolean nested() {
        if (size == 0) {
            return first == null;
        }
        return conjunction() && inline();
    }

    // Predicates without.

    boolean keeps() {
        boolean isShort = isShort();
        boolean isRising = isRising();
        return isShort && isRising;
    }

    boolean accepts() {
        if (isShort()) {
            return true;
        }
        return isRising();
    }

    boolean repeats() {
        for (int round = 0; round < 2; round++) {
            if (!isRising()) {
                return false;
            }
        }
        return true;
    }

    boolean forgets() {
        Predicates other = this;
        other = new Predicates();
        return other.isShort() && other.isRising();
    }

    static boolean always() {
        return true;
    }

    // What writes to nothing that was there.

    boolean collects() {
        Set<Cell> seen = new HashSet<>();
        List<Integer> values = new ArrayList<>();
        for (Cell cell = first; cell != null && seen.add(cell); cell = cell.next) {
            values.add(cell.value);
        }
        return values.size() == size && System.identityHashCode(first) != 1;
    }

    boolean counts() {
        Counter counter = new Counter();
        int[] counts = new int[2];
        for (Cell cell = first; cell != null; cell = cell.next) {
            counter.more();
            counts[0]++;
        }
        return counter.count == counts[0];
    }

    boolean says() {
        return ("size " + size).isEmpty() || Colour.RED.ordinal() == size;
    }

    // What may write.

    boolean writesItself() {
        size++;
        return true;
    }

    boolean marks() {
        first.mark();
        return true;
    }

    boolean marksNew() {
        new Cell().value = 2;
        return true;
    }

    boolean counted() {
        calls++;
        return true;
    }

    boolean readsShared() {
        return shared == first;
    }

    boolean keepsTime() {
        return System.nanoTime() > 0;
    }

    boolean calls() {
        IntPredicate positive = value -> value > 0;
        return positive.test(size);
    }

    boolean far() {
        return isShort() && deeper();
    }

    private boolean deeper() {
        return marks();
    }
}
