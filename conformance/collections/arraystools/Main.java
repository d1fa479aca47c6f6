package collections.arraystools;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The Arrays class: text, sort, search, copy, fill, equality, hashes. */
public class Main {
    public static void main(String[] args) {
        int[] ints = {5, -3, 9, 0, 7, 7, -100};
        long[] longs = {3L, 1L << 40, -5L};
        double[] doubles = {2.5, Double.NaN, -0.0, 0.0, -1, Double.NEGATIVE_INFINITY};
        char[] chars = "sorting".toCharArray();
        byte[] bytes = {5, -128, 127, 0};
        boolean[] booleans = {true, false};
        String[] strings = {"pear", "Apple", "fig", "apple"};
        Arrays.sort(ints);
        Arrays.sort(longs);
        Arrays.sort(doubles);
        Arrays.sort(chars);
        Arrays.sort(bytes);
        Arrays.sort(strings);
        System.out.println(Arrays.toString(ints) + Arrays.toString(longs) + Arrays.toString(doubles));
        System.out.println(Arrays.toString(chars) + Arrays.toString(bytes) + Arrays.toString(booleans) + Arrays.toString(strings));
        System.out.println(Arrays.toString((int[]) null) + Arrays.toString(new Object[0]) + Arrays.toString(new Object[] {null, 1}));
        Arrays.sort(strings, String.CASE_INSENSITIVE_ORDER.thenComparing(Collections.reverseOrder()));
        System.out.println(Arrays.toString(strings));
        System.out.println(Arrays.binarySearch(ints, 7) >= 0 ? Arrays.binarySearch(ints, 9) + " " + Arrays.binarySearch(ints, 1) : "missing");
        int[] big = new int[2000];
        for (int i = 0; i < big.length; i++) {
            big[i] = (i * 48271 + 11) % 10007;
        }
        int[] part = Arrays.copyOf(big, 300);
        Arrays.sort(part, 10, 200);
        Arrays.sort(big);
        boolean ordered = true;
        for (int i = 1; i < big.length; i++) {
            ordered &= big[i - 1] <= big[i];
        }
        System.out.println(ordered + " " + big[0] + " " + big[1999] + " " + part[9] + " " + part[10] + " " + part[199] + " " + part[200]);
        Integer[] boxed = new Integer[500];
        Arrays.setAll(boxed, i -> i * 31 % 501);
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(boxed[0] + " " + boxed[250] + " " + boxed[499]);
        System.out.println(Arrays.toString(Arrays.copyOf(ints, 9)) + Arrays.toString(Arrays.copyOfRange(ints, 2, 4)) + Arrays.toString(Arrays.copyOf(strings, 5)));
        int[] filled = new int[6];
        Arrays.fill(filled, 1, 4, 8);
        long[] filledLongs = new long[2];
        Arrays.fill(filledLongs, -1L);
        System.out.println(Arrays.toString(filled) + Arrays.toString(filledLongs));
        System.out.println(Arrays.equals(ints, ints.clone()) + " " + Arrays.equals(ints, null) + " " + Arrays.equals(new double[] {Double.NaN}, new double[] {Double.NaN})
                + " " + Arrays.equals(new double[] {0.0}, new double[] {-0.0}) + " " + Arrays.equals(strings, new String[] {"a"}));
        System.out.println(Arrays.hashCode(ints) + " " + Arrays.hashCode(longs) + " " + Arrays.hashCode(strings) + " " + Arrays.hashCode(booleans) + " " + Arrays.hashCode(new float[] {1.5f}));
        Object[][] deep = {{1, "a"}, null, {new int[] {1, 2}, new Object[] {'c'}}};
        System.out.println(Arrays.deepToString(deep) + " " + Arrays.deepHashCode(new Object[] {new int[] {1}, "x"}) + " "
                + Arrays.deepEquals(new int[][] {{1}, {2}}, new int[][] {{1}, {2}}) + " " + Arrays.equals(new int[][] {{1}}, new int[][] {{1}}));
        List<String> view = Arrays.asList(strings);
        view.set(0, "written through");
        System.out.println(strings[0] + " " + view.size() + " " + view.contains("fig"));
        System.out.println(Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + " " + Arrays.mismatch(new int[] {1, 2, 3}, new int[] {1, 2, 4}) + " " + Arrays.stream(ints).sum());
        try {
            Arrays.copyOfRange(ints, 3, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.fill(ints, 2, 20, 0);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
