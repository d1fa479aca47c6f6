package korat.finitization.impl;

import korat.finitization.ILongSet;

/** A list of long values. A range whose least value is above its greatest is empty. */
public class LongSet extends IntegralSet implements ILongSet {
    LongSet(long min, long step, long max) {
        super(long.class);
        addRange(min, step, max);
    }

    public void addLong(long value) {
        addValue(value);
    }

    public void addRange(long min, long step, long max) {
        addValues(min, step, max);
    }

    public void removeLong(long value) {
        removeValue(value);
    }

    public long getLong(int index) {
        return valueAt(index);
    }

    public long[] getLongs() {
        long[] values = new long[getNumberOfElements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = getLong(i);
        }
        return values;
    }
}
