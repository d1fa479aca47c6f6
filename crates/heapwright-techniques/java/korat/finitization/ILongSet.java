package korat.finitization;

/** A list of long values; a range is given as least value, step, greatest value. */
public interface ILongSet extends IPrimitiveTypeSet {
    void addLong(long value);

    void addRange(long min, long step, long max);

    void removeLong(long value);
}
