package arrays.utilities;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** java.util.Arrays: ranges, filling, setAll, mismatch, compare, views, deep forms, streams. */
public final class Main {
    public static void main(String[] args) {
        int[] a = {5, 3, 9, 1, 7, 2};
        int[] b = a.clone();
        Arrays.sort(b, 1, 5);
        System.out.println(Arrays.toString(b) + Arrays.binarySearch(b, 1, 5, 7) + Arrays.binarySearch(b, 1, 5, 8));
        Integer[] boxed = {5, 3, 9, 1, 7, 2};
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(Arrays.toString(boxed) + Arrays.binarySearch(boxed, 7, Comparator.reverseOrder()));
        long[] l = new long[5];
        Arrays.setAll(l, i -> (long) i * i);
        Arrays.fill(l, 1, 3, -7);
        System.out.println(Arrays.toString(l) + Arrays.stream(l).sum() + " " + Arrays.hashCode(l));
        System.out.println(Arrays.mismatch(new int[] {1, 2, 3}, new int[] {1, 2, 4}) + " " + Arrays.mismatch(new char[] {'a'}, new char[] {'a'}) + " " + Arrays.mismatch(new byte[] {1}, new byte[] {1, 2})
                + " " + Arrays.mismatch(new double[] {0.0}, new double[] {-0.0}) + " " + Arrays.mismatch(new long[40], new long[41]));
        System.out.println(Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + " " + Arrays.compare(new int[] {1, 2}, new int[] {1}) + " " + Arrays.compare((int[]) null, new int[0])
                + " " + Arrays.compareUnsigned(new byte[] {-1}, new byte[] {1}) + " " + Arrays.compare(new String[] {"a"}, new String[] {"b"}) + " " + Arrays.equals(a, 0, 2, b, 0, 2));
        String[] s = {"x", "y", "z"};
        List<String> view = Arrays.asList(s);
        view.set(1, "Y");
        s[2] = "Z";
        System.out.println(view + s[1] + view.indexOf("Z") + view.contains("q"));
        try {
            view.add("w");
        } catch (UnsupportedOperationException e) {
            System.out.println("fixed");
        }
        Collections.reverse(view);
        System.out.println(Arrays.toString(s));
        System.out.println(Arrays.toString(Arrays.copyOf(a, 8)) + Arrays.toString(Arrays.copyOfRange(a, 4, 9)) + Arrays.toString(Arrays.copyOf(s, 2)) + Arrays.toString((Object[]) null));
        Object[][] deep = {{1, "a"}, {new int[] {1, 2}, null}, {new boolean[] {true}, new char[] {'c'}}};
        Object[][] same = {{1, "a"}, {new int[] {1, 2}, null}, {new boolean[] {true}, new char[] {'c'}}};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepEquals(deep, same) + Arrays.equals(deep, same) + (Arrays.deepHashCode(deep) == Arrays.deepHashCode(same)));
        Object[] self = new Object[2];
        self[0] = self;
        System.out.println(Arrays.deepToString(self));
        System.out.println(Arrays.stream(a, 1, 4).max().getAsInt() + " " + Arrays.stream(s).reduce("", String::concat));
        double[] d = {Double.NaN, 1, -0.0, 0.0, Double.NEGATIVE_INFINITY};
        Arrays.sort(d);
        System.out.println(Arrays.toString(d));
        char[] c = "the quick brown fox jumps over the lazy dog and runs away from here".toCharArray();
        Arrays.sort(c);
        System.out.println(new String(c).trim());
        byte[] many = new byte[300];
        for (int i = 0; i < 300; i++) {
            many[i] = (byte) (i * 37);
        }
        Arrays.sort(many);
        int[] big = new int[2000];
        Arrays.setAll(big, i -> i * 7919 % 2003 - i % 3);
        Arrays.sort(big);
        boolean sorted = true;
        for (int i = 1; i < big.length; i++) {
            sorted &= big[i - 1] <= big[i];
        }
        System.out.println(many[0] + " " + many[150] + " " + many[299] + " " + sorted + Arrays.hashCode(big));
        for (Runnable r : new Runnable[] {() -> Arrays.sort(a, 3, 2), () -> Arrays.fill(a, -1, 2, 0), () -> Arrays.copyOfRange(a, 9, 10), () -> Arrays.copyOf(a, -1)}) {
            try {
                r.run();
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName());
            }
        }
    }
}
