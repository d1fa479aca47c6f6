package korat.finitization;

/** A list of int values; a range is given as least value, step, greatest value. */
public interface IIntSet extends IPrimitiveTypeSet {
    void addInt(int value);

    void addRange(int min, int step, int max);

    void removeInt(int value);
}
