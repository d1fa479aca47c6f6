package algorithms.matrices;

/** Matrices of int, long and double: product, power, transposition, determinant, spiral. */
public class Main {
    static int[][] multiply(int[][] a, int[][] b) {
        int[][] c = new int[a.length][b[0].length];
        for (int i = 0; i < a.length; i++)
            for (int j = 0; j < b[0].length; j++)
                for (int k = 0; k < b.length; k++) c[i][j] += a[i][k] * b[k][j];
        return c;
    }

    static long fibonacci(int n) {
        long[][] r = {{1, 0}, {0, 1}}, m = {{1, 1}, {1, 0}};
        for (; n > 0; n >>= 1) {
            if ((n & 1) != 0) r = square(r, m);
            m = square(m, m);
        }
        return r[0][1];
    }

    static long[][] square(long[][] a, long[][] b) {
        return new long[][] {
            {a[0][0] * b[0][0] + a[0][1] * b[1][0], a[0][0] * b[0][1] + a[0][1] * b[1][1]},
            {a[1][0] * b[0][0] + a[1][1] * b[1][0], a[1][0] * b[0][1] + a[1][1] * b[1][1]}};
    }

    static double determinant(double[][] m) {
        int n = m.length;
        double det = 1;
        double[][] a = new double[n][];
        for (int i = 0; i < n; i++) a[i] = m[i].clone();
        for (int c = 0; c < n; c++) {
            int pivot = c;
            for (int r = c + 1; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[pivot][c])) pivot = r;
            if (a[pivot][c] == 0) return 0;
            if (pivot != c) {
                double[] t = a[c];
                a[c] = a[pivot];
                a[pivot] = t;
                det = -det;
            }
            det *= a[c][c];
            for (int r = c + 1; r < n; r++) {
                double f = a[r][c] / a[c][c];
                for (int k = c; k < n; k++) a[r][k] -= f * a[c][k];
            }
        }
        return det;
    }

    static void print(int[][] m) {
        for (int[] row : m) {
            String line = "";
            for (int x : row) line += x + "\t";
            System.out.println(line.trim());
        }
    }

    static int[][] spiral(int rows, int columns) {
        int[][] m = new int[rows][columns];
        int r = 0, c = 0, dr = 0, dc = 1;
        for (int i = 1; i <= rows * columns; i++) {
            m[r][c] = i;
            int nr = r + dr, nc = c + dc;
            if (nr < 0 || nr == rows || nc < 0 || nc == columns || m[nr][nc] != 0) {
                int t = dr;
                dr = dc;
                dc = -t;
            }
            r += dr;
            c += dc;
        }
        return m;
    }

    public static void main(String[] args) {
        int[][] a = {{1, 2, 3}, {4, 5, 6}}, b = {{7, 8}, {9, 10}, {11, 12}};
        print(multiply(a, b));
        print(multiply(b, a));
        System.out.println(fibonacci(10) + " " + fibonacci(90));
        System.out.println(determinant(new double[][] {{2, 0, 1}, {1, 3, 2}, {1, 1, 1}}));
        System.out.println(determinant(new double[][] {{1, 2}, {2, 4}}));
        System.out.println(determinant(new double[][] {{0, 1}, {1, 0}}));
        print(spiral(3, 4));
        print(spiral(4, 4));
        char[][] board = new char[3][3];
        for (char[] row : board) java.util.Arrays.fill(row, '.');
        board[1][1] = 'x';
        for (char[] row : board) System.out.println(row);
        boolean[][] life = new boolean[6][6];
        life[1][2] = life[2][3] = life[3][1] = life[3][2] = life[3][3] = true;
        for (int g = 0; g < 4; g++) {
            boolean[][] next = new boolean[6][6];
            for (int i = 0; i < 36; i++) {
                int n = 0;
                for (int d = 0; d < 9; d++) {
                    if (d != 4 && life[(i / 6 + d / 3 + 5) % 6][(i % 6 + d % 3 + 5) % 6]) n++;
                }
                next[i / 6][i % 6] = n == 3 || n == 2 && life[i / 6][i % 6];
            }
            life = next;
        }
        for (boolean[] row : life) {
            for (boolean cell : row) System.out.print(cell ? '#' : '.');
            System.out.println();
        }
    }
}
