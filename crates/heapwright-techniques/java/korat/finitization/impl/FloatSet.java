package korat.finitization.impl;

import java.util.ArrayList;
import korat.finitization.IFloatSet;

/** A list of float values; each value of a range is computed from its least, so rounding does not add up. */
public class FloatSet extends PrimitiveTypeSet implements IFloatSet {
    private static final int MOST = 1 << 24;

    private final ArrayList<Float> values = new ArrayList<Float>();

    FloatSet(float min, float step, float max) {
        super(float.class);
        addRange(min, step, max);
    }

    public void addFloat(float value) {
        values.add(Float.valueOf(value));
    }

    public void addRange(float min, float step, float max) {
        if (min > max) {
            return;
        }
        if (min < max && !(step > 0)) {
            throw new IllegalArgumentException(
                    "float range from " + min + " to " + max + " with step " + step + ": the step must be positive");
        }
        float value = min;
        int steps = 0;
        while (value < max) {
            if (values.size() >= MOST) {
                throw new IllegalArgumentException(
                        "float range from " + min + " to " + max + ": a domain holds at most " + MOST + " values");
            }
            addFloat(value);
            steps++;
            value = min + step * steps;
        }
        addFloat(max);
    }

    public void removeFloat(float value) {
        for (int i = 0; i < values.size(); i++) {
            if (Float.floatToIntBits(getFloat(i)) == Float.floatToIntBits(value)) {
                values.remove(i);
                return;
            }
        }
    }

    public float getFloat(int index) {
        return values.get(index).floatValue();
    }

    public float[] getFloats() {
        float[] copy = new float[values.size()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = getFloat(i);
        }
        return copy;
    }

    public int getNumberOfElements() {
        return values.size();
    }

    void describe(StringBuilder out, Description description) {
        out.append("float");
        for (int i = 0; i < values.size(); i++) {
            out.append(' ').append(Float.floatToRawIntBits(getFloat(i)));
        }
    }
}
