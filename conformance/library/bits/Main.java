package library.bits;

import java.util.Arrays;
import java.util.BitSet;

/** Sets of bits: ranges, operations, conversions. */
public class Main {
    public static void main(String[] args) {
        BitSet set = new BitSet();
        set.set(3);
        set.set(10, 15);
        set.set(70);
        System.out.println(set + " " + set.cardinality() + " " + set.length() + " " + set.size());
        System.out.println(set.nextSetBit(4) + " " + set.nextClearBit(10) + " " + set.previousSetBit(69)
                + " " + set.previousClearBit(14));
        BitSet other = BitSet.valueOf(new long[] {0b1111000, 64});
        System.out.println(other + " " + other.intersects(set));
        BitSet and = (BitSet) set.clone();
        and.and(other);
        BitSet or = (BitSet) set.clone();
        or.or(other);
        BitSet xor = (BitSet) set.clone();
        xor.xor(other);
        BitSet not = (BitSet) set.clone();
        not.andNot(other);
        System.out.println(and + " " + or + " " + xor + " " + not);
        set.flip(0, 5);
        set.clear(12);
        System.out.println(set + " " + Arrays.toString(set.toLongArray()) + " "
                + Arrays.toString(set.toByteArray()));
        System.out.println(set.get(0, 11) + " " + set.stream().sum() + " " + set.hashCode());
        System.out.println(set.equals(BitSet.valueOf(set.toLongArray())) + " " + new BitSet().isEmpty());
        try {
            set.set(-1);
        } catch (IndexOutOfBoundsException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
