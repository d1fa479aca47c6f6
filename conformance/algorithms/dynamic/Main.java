package algorithms.dynamic;

import java.util.HashMap;
import java.util.Map;

/** Knapsack, longest common subsequence, edit distance, coin change, memoised recursion. */
public class Main {
    static int knapsack(int[] weights, int[] values, int capacity) {
        int[] best = new int[capacity + 1];
        for (int i = 0; i < weights.length; i++) {
            for (int c = capacity; c >= weights[i]; c--) {
                best[c] = Math.max(best[c], best[c - weights[i]] + values[i]);
            }
        }
        return best[capacity];
    }

    static String common(String a, String b) {
        int[][] l = new int[a.length() + 1][b.length() + 1];
        for (int i = a.length() - 1; i >= 0; i--) {
            for (int j = b.length() - 1; j >= 0; j--) {
                l[i][j] = a.charAt(i) == b.charAt(j) ? l[i + 1][j + 1] + 1 : Math.max(l[i + 1][j], l[i][j + 1]);
            }
        }
        StringBuilder sb = new StringBuilder();
        for (int i = 0, j = 0; i < a.length() && j < b.length(); ) {
            if (a.charAt(i) == b.charAt(j)) {
                sb.append(a.charAt(i++));
                j++;
            } else if (l[i + 1][j] >= l[i][j + 1]) i++;
            else j++;
        }
        return sb.toString();
    }

    static int distance(CharSequence a, CharSequence b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j < previous.length; j++) previous[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[previous.length];
            current[0] = i;
            for (int j = 1; j < previous.length; j++) {
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + cost);
            }
            previous = current;
        }
        return previous[b.length()];
    }

    static long coins(int[] kinds, int amount) {
        long[] ways = new long[amount + 1];
        ways[0] = 1;
        for (int k : kinds) for (int a = k; a <= amount; a++) ways[a] += ways[a - k];
        return ways[amount];
    }

    static final Map<String, Long> memo = new HashMap<>();

    static long paths(int r, int c) {
        if (r == 0 || c == 0) return 1;
        String key = r + "," + c;
        Long known = memo.get(key);
        if (known != null) return known;
        long v = paths(r - 1, c) + paths(r, c - 1);
        memo.put(key, v);
        return v;
    }

    static int increasing(int[] a) {
        int[] tails = new int[a.length];
        int n = 0;
        for (int x : a) {
            int i = java.util.Arrays.binarySearch(tails, 0, n, x);
            if (i < 0) i = -i - 1;
            tails[i] = x;
            if (i == n) n++;
        }
        return n;
    }

    static int maxSum(int... a) {
        int best = Integer.MIN_VALUE, here = 0;
        for (int x : a) {
            here = Math.max(x, here + x);
            best = Math.max(best, here);
        }
        return best;
    }

    public static void main(String[] args) {
        System.out.println(knapsack(new int[] {1, 3, 4, 5}, new int[] {1, 4, 5, 7}, 7));
        System.out.println(knapsack(new int[] {10, 20, 30}, new int[] {60, 100, 120}, 50));
        System.out.println(common("AGGTABQWERTY", "GXTXAYBQETY") + " [" + common("abc", "xyz") + "]");
        System.out.println(distance("kitten", "sitting") + " " + distance("", "abc") + " " + distance(new StringBuilder("flaw"), "lawn"));
        System.out.println(coins(new int[] {1, 2, 5, 10, 20, 50, 100, 200}, 200) + " " + coins(new int[] {3}, 4));
        System.out.println(paths(16, 16) + " " + memo.size());
        System.out.println(increasing(new int[] {10, 9, 2, 5, 3, 7, 101, 18}) + " " + maxSum(-2, 1, -3, 4, -1, 2, 1, -5, 4) + " " + maxSum(-3, -1));
        long[][] binomial = new long[35][];
        for (int n = 0; n < binomial.length; n++) {
            binomial[n] = new long[n + 1];
            binomial[n][0] = binomial[n][n] = 1;
            for (int k = 1; k < n; k++) binomial[n][k] = binomial[n - 1][k - 1] + binomial[n - 1][k];
        }
        System.out.println(binomial[34][17] + " " + java.util.Arrays.toString(binomial[9]));
    }
}
