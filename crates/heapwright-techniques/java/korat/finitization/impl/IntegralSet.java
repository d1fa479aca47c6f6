package korat.finitization.impl;

import java.util.ArrayList;

/** Integral values as runs of equal step, so that a wide range costs one run; order and duplicates are kept. */
abstract class IntegralSet extends PrimitiveTypeSet {
    private static final int FIRST = 0;
    private static final int STEP = 1;
    private static final int COUNT = 2;

    private final ArrayList<long[]> runs = new ArrayList<long[]>();
    private int size;

    IntegralSet(Class<?> classOfField) {
        super(classOfField);
    }

    final void addValue(long value) {
        addRun(value, 1, 1);
    }

    /** The values from min by step below max, then max itself, even if the step does not reach it. */
    final void addValues(long min, long step, long max) {
        if (min >= max) {
            if (min == max) {
                addValue(max);
            }
            return;
        }
        if (step <= 0) {
            throw new IllegalArgumentException(
                    classOfField.getName() + " range from " + min + " to " + max + " with step " + step
                            + ": the step must be positive");
        }
        long span = max - min;
        if (span < 0) {
            throw tooMany(min, max);
        }
        long below = (span - 1) / step + 1;
        if (below >= Integer.MAX_VALUE) {
            throw tooMany(min, max);
        }
        if (below * step == span) {
            addRun(min, step, below + 1);
        } else {
            addRun(min, step, below);
            addValue(max);
        }
    }

    private void addRun(long first, long step, long count) {
        if (count > Integer.MAX_VALUE - size) {
            throw tooMany(first, first + step * (count - 1));
        }
        long[] run = {first, step, count};
        runs.add(run);
        size += (int) count;
    }

    private IllegalArgumentException tooMany(long min, long max) {
        return new IllegalArgumentException(
                classOfField.getName() + " range from " + min + " to " + max
                        + ": a domain holds at most 2147483647 values");
    }

    final void removeValue(long value) {
        for (int i = 0; i < runs.size(); i++) {
            long[] run = runs.get(i);
            long offset = value - run[FIRST];
            if (offset < 0 || offset % run[STEP] != 0 || offset / run[STEP] >= run[COUNT]) {
                continue;
            }
            long before = offset / run[STEP];
            long after = run[COUNT] - before - 1;
            runs.remove(i);
            if (after > 0) {
                long[] tail = {value + run[STEP], run[STEP], after};
                runs.add(i, tail);
            }
            if (before > 0) {
                long[] front = {run[FIRST], run[STEP], before};
                runs.add(i, front);
            }
            size--;
            return;
        }
    }

    final long valueAt(int index) {
        if (index >= 0) {
            long left = index;
            for (int i = 0; i < runs.size(); i++) {
                long[] run = runs.get(i);
                if (left < run[COUNT]) {
                    return run[FIRST] + run[STEP] * left;
                }
                left -= run[COUNT];
            }
        }
        throw new IndexOutOfBoundsException("value " + index + " of " + size);
    }

    final long least() {
        requireValues();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < runs.size(); i++) {
            least = Math.min(least, runs.get(i)[FIRST]);
        }
        return least;
    }

    final long greatest() {
        requireValues();
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < runs.size(); i++) {
            long[] run = runs.get(i);
            greatest = Math.max(greatest, run[FIRST] + run[STEP] * (run[COUNT] - 1));
        }
        return greatest;
    }

    private void requireValues() {
        if (size == 0) {
            throw new IllegalArgumentException("an empty " + classOfField.getName() + " set has no least or greatest value");
        }
    }

    public final int getNumberOfElements() {
        return size;
    }

    void describe(StringBuilder out, Description description) {
        out.append(classOfField.getName());
        for (int i = 0; i < runs.size(); i++) {
            long[] run = runs.get(i);
            out.append(' ').append(run[FIRST]).append(':').append(run[STEP]).append(':').append(run[COUNT]);
        }
    }
}
