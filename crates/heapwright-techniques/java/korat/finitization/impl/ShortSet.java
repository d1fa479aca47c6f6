package korat.finitization.impl;

import korat.finitization.IShortSet;

/** A list of short values. A range whose least value is above its greatest is empty. */
public class ShortSet extends IntegralSet implements IShortSet {
    ShortSet(short min, short step, short max) {
        super(short.class);
        addRange(min, step, max);
    }

    public void addShort(short value) {
        addValue(value);
    }

    public void addRange(short min, short step, short max) {
        addValues(min, step, max);
    }

    public void removeShort(short value) {
        removeValue(value);
    }

    public short getShort(int index) {
        return (short) valueAt(index);
    }

    public short[] getShorts() {
        short[] values = new short[getNumberOfElements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = getShort(i);
        }
        return values;
    }
}
