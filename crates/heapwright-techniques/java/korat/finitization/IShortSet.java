package korat.finitization;

/** A list of short values; a range is given as least value, step, greatest value. */
public interface IShortSet extends IPrimitiveTypeSet {
    void addShort(short value);

    void addRange(short min, short step, short max);

    void removeShort(short value);
}
