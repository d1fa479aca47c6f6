package library.bitsets;

import java.util.BitSet;

/** BitSet: ranges, logic, navigation. */
public class Main {
    public static void main(String[] args) {
        BitSet a = new BitSet(), b = new BitSet(10);
        a.set(1);
        a.set(5, 10);
        a.set(64);
        a.set(200, true);
        b.set(0, 8);
        b.clear(3);
        b.flip(7);
        System.out.println(a + " " + a.cardinality() + " " + a.length() + " " + a.size() + " " + b + " " + a.get(5) + " " + a.get(1000));
        BitSet and = (BitSet) a.clone(), or = (BitSet) a.clone(), xor = (BitSet) a.clone(), not = (BitSet) a.clone();
        and.and(b);
        or.or(b);
        xor.xor(b);
        not.andNot(b);
        System.out.println(and + " " + or + " " + xor + " " + not);
        System.out.println(a.nextSetBit(0) + " " + a.nextSetBit(10) + " " + a.nextSetBit(201) + " " + a.nextClearBit(5) + " " + a.previousSetBit(63) + " " + a.previousClearBit(9));
        System.out.println(a.intersects(b) + " " + a.equals(a.clone()) + " " + a.hashCode() + " " + a.get(4, 8) + " " + a.isEmpty());
        System.out.println(java.util.Arrays.toString(a.toLongArray()) + " " + BitSet.valueOf(new long[] {5, 1}) + " " + a.stream().sum());
        a.flip(0, 70);
        a.clear(10, 60);
        System.out.println(a);
        a.clear();
        System.out.println(a + " " + a.length() + " " + a.isEmpty());
        try {
            a.set(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        BitSet sieve = new BitSet(100);
        sieve.set(2, 100);
        for (int i = 2; i < 10; i = sieve.nextSetBit(i + 1)) {
            for (int j = i * i; j < 100; j += i) sieve.clear(j);
        }
        System.out.println(sieve);
    }
}
