package korat.finitization;

/** A list of float values; a range is given as least value, step, greatest value. */
public interface IFloatSet extends IPrimitiveTypeSet {
    void addFloat(float value);

    void addRange(float min, float step, float max);

    void removeFloat(float value);
}
