package algorithms.romans;

/** Roman numerals there and back, numbers in words, permutations in order. */
public final class Main {
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] SIGNS = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};

    private static String roman(int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < VALUES.length; i++) {
            for (; n >= VALUES[i]; n -= VALUES[i]) {
                b.append(SIGNS[i]);
            }
        }
        return b.toString();
    }

    private static int number(String s) {
        int r = 0;
        for (int i = 0; i < SIGNS.length; i++) {
            while (s.startsWith(SIGNS[i])) {
                r += VALUES[i];
                s = s.substring(SIGNS[i].length());
            }
        }
        return s.isEmpty() ? r : -1;
    }

    private static boolean permute(char[] a) {
        int i = a.length - 2;
        while (i >= 0 && a[i] >= a[i + 1]) {
            i--;
        }
        if (i < 0) {
            return false;
        }
        int j = a.length - 1;
        while (a[j] <= a[i]) {
            j--;
        }
        char t = a[i];
        a[i++] = a[j];
        a[j] = t;
        for (j = a.length - 1; i < j; i++, j--) {
            t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
        return true;
    }

    public static void main(String[] args) {
        boolean all = true;
        for (int i = 1; i < 4000; i++) {
            all &= number(roman(i)) == i;
        }
        System.out.println(all + " " + roman(1994) + " " + roman(3888) + " " + number("MMXXIV") + " " + number("ABC"));
        char[] c = "aabc".toCharArray();
        do {
            System.out.print(new String(c) + " ");
        } while (permute(c));
        System.out.println();
    }
}
