package arrays.comparison;

import java.util.Arrays;

/** Comparison of whole arrays and ranges of each kind, equal up to different places. */
public class Main {
    public static void main(String[] args) {
        for (int place = 0; place <= 9; place++) {
            longs(place);
            doubles(place);
            floats(place);
            small(place);
        }
        long[] one = {7, 1, 2, 3, 4};
        long[] other = {1, 2, 3, 5};
        System.out.println(Arrays.mismatch(one, 1, 5, other, 0, 4));
        System.out.println(Arrays.equals(one, 1, 4, other, 0, 3));
        System.out.println(Arrays.equals(one, 1, 5, other, 0, 4));
        System.out.println(Arrays.compare(one, 1, 5, other, 0, 4));
        System.out.println(Arrays.mismatch(one, 1, 3, other, 0, 4));
        double[] numbers = {1, Double.NaN, 0.0, -0.0};
        double[] others = {1, Double.longBitsToDouble(0x7ff8000000000001L), 0.0, 0.0};
        System.out.println(Arrays.mismatch(numbers, others));
        System.out.println(Arrays.equals(numbers, 0, 3, others, 0, 3));
        System.out.println(Arrays.compare(numbers, others));
        System.out.println(Arrays.equals(new double[] {0.0}, new double[] {-0.0}));
        System.out.println(Arrays.mismatch(new float[] {1, Float.NaN, 0f}, new float[] {1, Float.NaN, -0f}));
        System.out.println(Arrays.deepEquals(new long[][] {{1, 2}, {3}}, new long[][] {{1, 2}, {4}}));
        System.out.println(Arrays.deepEquals(new double[][] {{1, 2}}, new double[][] {{1, 3}}));
    }

    private static void longs(int place) {
        long[] one = new long[9];
        long[] other = new long[9];
        for (int i = 0; i < one.length; i++) {
            one[i] = other[i] = 1L << 40 | i;
        }
        if (place < other.length) {
            other[place]++;
        }
        System.out.println(Arrays.equals(one, other) + " " + Arrays.mismatch(one, other) + " "
                + Arrays.compare(one, other) + " " + Arrays.compareUnsigned(one, other));
    }

    private static void doubles(int place) {
        double[] one = new double[9];
        double[] other = new double[9];
        Arrays.fill(one, 1.5);
        Arrays.fill(other, 1.5);
        if (place < other.length) {
            other[place] = -1.5;
        }
        System.out.println(Arrays.equals(one, other) + " " + Arrays.mismatch(one, other) + " "
                + Arrays.compare(one, other));
    }

    private static void floats(int place) {
        float[] one = new float[9];
        float[] other = new float[9];
        Arrays.fill(one, 1.5f);
        Arrays.fill(other, 1.5f);
        if (place < other.length) {
            other[place] = 2.5f;
        }
        System.out.println(Arrays.equals(one, other) + " " + Arrays.mismatch(one, other) + " "
                + Arrays.compare(one, other));
    }

    private static void small(int place) {
        int[] ints = new int[9];
        int[] otherInts = new int[9];
        byte[] bytes = new byte[9];
        byte[] otherBytes = new byte[9];
        char[] chars = new char[9];
        char[] otherChars = new char[9];
        boolean[] flags = new boolean[9];
        boolean[] otherFlags = new boolean[9];
        short[] shorts = new short[9];
        short[] otherShorts = new short[9];
        if (place < ints.length) {
            otherInts[place] = 1;
            otherBytes[place] = -1;
            otherChars[place] = 'a';
            otherFlags[place] = true;
            otherShorts[place] = -2;
        }
        System.out.println(Arrays.mismatch(ints, otherInts) + " " + Arrays.mismatch(bytes, otherBytes) + " "
                + Arrays.mismatch(chars, otherChars) + " " + Arrays.mismatch(flags, otherFlags) + " "
                + Arrays.mismatch(shorts, otherShorts) + " " + Arrays.equals(ints, otherInts) + " "
                + Arrays.equals(bytes, otherBytes) + " " + Arrays.compare(shorts, otherShorts));
    }
}
