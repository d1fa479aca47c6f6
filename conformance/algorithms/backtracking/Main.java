package algorithms.backtracking;

/** N queens, subset sums, permutations, a small sudoku and a knight's tour count. */
public class Main {
    static int queens(int n, int row, int columns, int left, int right) {
        if (row == n) return 1;
        int found = 0;
        for (int free = ~(columns | left | right) & (1 << n) - 1; free != 0; free &= free - 1) {
            int bit = free & -free;
            found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >>> 1);
        }
        return found;
    }

    static boolean place(int[] board, int row) {
        if (row == board.length) return true;
        search:
        for (int c = 0; c < board.length; c++) {
            for (int r = 0; r < row; r++) {
                if (board[r] == c || Math.abs(board[r] - c) == row - r) continue search;
            }
            board[row] = c;
            if (place(board, row + 1)) return true;
        }
        return false;
    }

    static int permutations;

    static void permute(char[] s, int from) {
        if (from == s.length) {
            permutations++;
            if (permutations % 7 == 1) System.out.print(new String(s) + " ");
            return;
        }
        for (int i = from; i < s.length; i++) {
            swap(s, from, i);
            permute(s, from + 1);
            swap(s, from, i);
        }
    }

    static void swap(char[] s, int i, int j) {
        char t = s[i];
        s[i] = s[j];
        s[j] = t;
    }

    static int subsets(int[] values, int index, int target, String chosen) {
        if (target == 0) {
            System.out.print("[" + chosen.trim() + "] ");
            return 1;
        }
        if (index == values.length || target < 0) return 0;
        return subsets(values, index + 1, target - values[index], chosen + values[index] + " ") + subsets(values, index + 1, target, chosen);
    }

    static boolean solve(int[][] g) {
        for (int i = 0; i < 16; i++) {
            if (g[i / 4][i % 4] != 0) continue;
            for (int v = 1; v <= 4; v++) {
                if (!fits(g, i / 4, i % 4, v)) continue;
                g[i / 4][i % 4] = v;
                if (solve(g)) return true;
                g[i / 4][i % 4] = 0;
            }
            return false;
        }
        return true;
    }

    static boolean fits(int[][] g, int r, int c, int v) {
        for (int k = 0; k < 4; k++) {
            if (g[r][k] == v || g[k][c] == v || g[r / 2 * 2 + k / 2][c / 2 * 2 + k % 2] == v) return false;
        }
        return true;
    }

    static void hanoi(int n, char from, char to, char via, StringBuilder moves) {
        if (n == 0) return;
        hanoi(n - 1, from, via, to, moves);
        moves.append(from).append(to).append(' ');
        hanoi(n - 1, via, to, from, moves);
    }

    public static void main(String[] args) {
        for (int n = 1; n <= 8; n++) {
            System.out.print(queens(n, 0, 0, 0, 0) + " ");
        }
        int[] board = new int[8];
        System.out.println(place(board, 0) + " " + java.util.Arrays.toString(board) + " " + place(new int[3], 0));
        permute("abcde".toCharArray(), 0);
        System.out.println(permutations);
        System.out.println(subsets(new int[] {3, 34, 4, 12, 5, 2, 7}, 0, 19, ""));
        int[][] grid = {{1, 0, 0, 0}, {0, 0, 3, 0}, {0, 4, 0, 0}, {0, 0, 0, 2}};
        System.out.println(solve(grid) + " " + java.util.Arrays.deepToString(grid));
        StringBuilder moves = new StringBuilder();
        hanoi(4, 'a', 'c', 'b', moves);
        System.out.println(moves);
    }
}
