package korat.finitization;

/** A list of byte values; a range is given as least value, step, greatest value. */
public interface IByteSet extends IPrimitiveTypeSet {
    void addByte(byte value);

    void addRange(byte min, byte step, byte max);

    void removeByte(byte value);
}
