package korat.finitization;

/** A list of double values; a range is given as least value, step, greatest value. */
public interface IDoubleSet extends IPrimitiveTypeSet {
    void addDouble(double value);

    void addRange(double min, double step, double max);

    void removeDouble(double value);
}
