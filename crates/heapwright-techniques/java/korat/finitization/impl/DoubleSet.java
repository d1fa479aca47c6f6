package korat.finitization.impl;

import java.util.ArrayList;
import korat.finitization.IDoubleSet;

/** A list of double values; each value of a range is computed from its least, so rounding does not add up. */
public class DoubleSet extends PrimitiveTypeSet implements IDoubleSet {
    private static final int MOST = 1 << 24;

    private final ArrayList<Double> values = new ArrayList<Double>();

    DoubleSet(double min, double step, double max) {
        super(double.class);
        addRange(min, step, max);
    }

    public void addDouble(double value) {
        values.add(Double.valueOf(value));
    }

    public void addRange(double min, double step, double max) {
        if (min > max) {
            return;
        }
        if (min < max && !(step > 0)) {
            throw new IllegalArgumentException(
                    "double range from " + min + " to " + max + " with step " + step + ": the step must be positive");
        }
        double value = min;
        int steps = 0;
        while (value < max) {
            if (values.size() >= MOST) {
                throw new IllegalArgumentException(
                        "double range from " + min + " to " + max + ": a domain holds at most " + MOST + " values");
            }
            addDouble(value);
            steps++;
            value = min + step * steps;
        }
        addDouble(max);
    }

    public void removeDouble(double value) {
        for (int i = 0; i < values.size(); i++) {
            if (Double.doubleToLongBits(getDouble(i)) == Double.doubleToLongBits(value)) {
                values.remove(i);
                return;
            }
        }
    }

    public double getDouble(int index) {
        return values.get(index).doubleValue();
    }

    public double[] getDoubles() {
        double[] copy = new double[values.size()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = getDouble(i);
        }
        return copy;
    }

    public int getNumberOfElements() {
        return values.size();
    }

    void describe(StringBuilder out, Description description) {
        out.append("double");
        for (int i = 0; i < values.size(); i++) {
            out.append(' ').append(Double.doubleToRawLongBits(getDouble(i)));
        }
    }
}
