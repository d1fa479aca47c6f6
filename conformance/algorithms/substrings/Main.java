package algorithms.substrings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Searching (KMP), edit distance with its script, longest palindromes, wrapping of text. */
public final class Main {
    private static List<Integer> kmp(String text, String p) {
        int[] f = new int[p.length()];
        for (int i = 1, k = 0; i < p.length(); i++) {
            while (k > 0 && p.charAt(i) != p.charAt(k)) {
                k = f[k - 1];
            }
            f[i] = p.charAt(i) == p.charAt(k) ? ++k : k;
        }
        List<Integer> found = new ArrayList<>();
        for (int i = 0, k = 0; i < text.length(); i++) {
            while (k > 0 && (k == p.length() || text.charAt(i) != p.charAt(k))) {
                k = f[k - 1];
            }
            if (text.charAt(i) == p.charAt(k) && ++k == p.length()) {
                found.add(i - k + 1);
            }
        }
        System.out.print(Arrays.toString(f) + " ");
        return found;
    }

    private static String edits(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 ? j : j == 0 ? i : Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
            }
        }
        StringBuilder s = new StringBuilder();
        for (int i = a.length(), j = b.length(); i > 0 || j > 0;) {
            if (i > 0 && j > 0 && d[i][j] == d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1)) {
                s.append(a.charAt(--i) == b.charAt(--j) ? '=' : '~');
            } else if (i > 0 && d[i][j] == d[i - 1][j] + 1) {
                s.append('-');
                i--;
            } else {
                s.append('+');
                j--;
            }
        }
        return d[a.length()][b.length()] + " " + s.reverse();
    }

    private static String palindrome(String s) {
        String best = "";
        for (int c = 0; c < 2 * s.length(); c++) {
            int l = c / 2;
            int r = l + c % 2;
            while (l >= 0 && r < s.length() && s.charAt(l) == s.charAt(r)) {
                l--;
                r++;
            }
            best = r - l - 1 > best.length() ? s.substring(l + 1, r) : best;
        }
        return best;
    }

    private static String wrap(String text, int width) {
        StringBuilder out = new StringBuilder();
        int used = 0;
        for (String word : text.split(" +")) {
            if (used > 0 && used + 1 + word.length() > width) {
                out.append(".".repeat(width - used)).append('\n');
                used = 0;
            } else if (used > 0) {
                out.append(' ');
                used++;
            }
            out.append(word);
            used += word.length();
        }
        return out.toString();
    }

    public static void main(String[] args) {
        System.out.println(kmp("abababcababab", "abab") + " " + kmp("aaaaa", "aa") + kmp("xyz", "q"));
        System.out.println(edits("kitten", "sitting") + " " + edits("", "abc") + " " + edits("saturday", "sunday"));
        System.out.println(palindrome("forgeeksskeegfor") + " " + palindrome("abacdfgdcaba") + " " + palindrome("x"));
        System.out.println(wrap("the quick brown fox  jumps over the lazy dog and keeps running", 14));
    }
}
