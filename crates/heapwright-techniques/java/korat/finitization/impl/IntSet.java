package korat.finitization.impl;

import korat.finitization.IIntSet;

/** A list of int values. A range whose least value is above its greatest is its greatest value alone. */
public class IntSet extends IntegralSet implements IIntSet {
    IntSet(int min, int step, int max) {
        super(int.class);
        addRange(min, step, max);
    }

    public void addInt(int value) {
        addValue(value);
    }

    public void addRange(int min, int step, int max) {
        if (min > max) {
            addValue(max);
            return;
        }
        addValues(min, step, max);
    }

    public void removeInt(int value) {
        removeValue(value);
    }

    public int getInt(int index) {
        return (int) valueAt(index);
    }

    public int[] getInts() {
        int[] values = new int[getNumberOfElements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = getInt(i);
        }
        return values;
    }

    public int getMin() {
        return (int) least();
    }

    public int getMax() {
        return (int) greatest();
    }
}
