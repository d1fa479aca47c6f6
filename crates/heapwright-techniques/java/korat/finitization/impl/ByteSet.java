package korat.finitization.impl;

import korat.finitization.IByteSet;

/** A list of byte values. A range whose least value is above its greatest is empty. */
public class ByteSet extends IntegralSet implements IByteSet {
    ByteSet(byte min, byte step, byte max) {
        super(byte.class);
        addRange(min, step, max);
    }

    public void addByte(byte value) {
        addValue(value);
    }

    public void addRange(byte min, byte step, byte max) {
        addValues(min, step, max);
    }

    public void removeByte(byte value) {
        removeValue(value);
    }

    public byte getByte(int index) {
        return (byte) valueAt(index);
    }

    public byte[] getBytes() {
        byte[] values = new byte[getNumberOfElements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = getByte(i);
        }
        return values;
    }
}
