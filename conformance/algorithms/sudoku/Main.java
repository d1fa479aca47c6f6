package algorithms.sudoku;

/** A sudoku by backtracking over bit sets. */
public final class Main {
    private static int steps;

    private static boolean solve(int[] g, int[] rows, int[] cols, int[] boxes) {
        int best = -1;
        int fewest = 10;
        for (int i = 0; i < 81; i++) {
            if (g[i] == 0) {
                int n = 9 - Integer.bitCount(rows[i / 9] | cols[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]);
                if (n < fewest) {
                    fewest = n;
                    best = i;
                }
            }
        }
        if (best < 0) {
            return true;
        }
        int r = best / 9;
        int c = best % 9;
        int b = r / 3 * 3 + c / 3;
        for (int d = 1; d <= 9; d++) {
            int bit = 1 << d;
            if (((rows[r] | cols[c] | boxes[b]) & bit) == 0) {
                steps++;
                g[best] = d;
                rows[r] |= bit;
                cols[c] |= bit;
                boxes[b] |= bit;
                if (solve(g, rows, cols, boxes)) {
                    return true;
                }
                rows[r] ^= bit;
                cols[c] ^= bit;
                boxes[b] ^= bit;
                g[best] = 0;
            }
        }
        return false;
    }

    public static void main(String[] args) {
        String text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        int[] g = new int[81];
        int[] rows = new int[9];
        int[] cols = new int[9];
        int[] boxes = new int[9];
        for (int i = 0; i < 81; i++) {
            char c = text.charAt(i);
            if (c != '.') {
                g[i] = c - '0';
                rows[i / 9] |= 1 << g[i];
                cols[i % 9] |= 1 << g[i];
                boxes[i / 27 * 3 + i % 9 / 3] |= 1 << g[i];
            }
        }
        System.out.println(solve(g, rows, cols, boxes) + " " + steps);
        for (int i = 0; i < 81; i++) {
            System.out.print(g[i] + (i % 9 == 8 ? "\n" : " "));
        }
    }
}
