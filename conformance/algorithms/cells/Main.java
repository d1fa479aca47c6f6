package algorithms.cells;

import java.util.BitSet;

/** The game of life on a torus, an elementary automaton, a spiral of primes, towers. */
public final class Main {
    private static boolean[][] step(boolean[][] g) {
        int h = g.length;
        int w = g[0].length;
        boolean[][] n = new boolean[h][w];
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int c = 0;
                for (int dy = -1; dy <= 1; dy++) {
                    for (int dx = -1; dx <= 1; dx++) {
                        c += (dx != 0 || dy != 0) && g[Math.floorMod(y + dy, h)][Math.floorMod(x + dx, w)] ? 1 : 0;
                    }
                }
                n[y][x] = c == 3 || g[y][x] && c == 2;
            }
        }
        return n;
    }

    private static int moves;

    private static void tower(int n, char a, char b, char c, StringBuilder out) {
        if (n > 0) {
            tower(n - 1, a, c, b, out);
            out.append(a).append(c).append(' ');
            moves++;
            tower(n - 1, b, a, c, out);
        }
    }

    public static void main(String[] args) {
        boolean[][] g = new boolean[6][8];
        g[0][1] = g[1][2] = g[2][0] = g[2][1] = g[2][2] = true;
        for (int i = 0; i < 9; i++) {
            g = step(g);
        }
        for (boolean[] row : g) {
            for (boolean b : row) {
                System.out.print(b ? '#' : '.');
            }
            System.out.println();
        }
        long line = 1L << 20;
        for (int i = 0; i < 10; i++) {
            System.out.println(Long.toBinaryString(line | 1L << 41).substring(1).replace('0', ' ').replace('1', '*').stripTrailing());
            line = (line << 1 ^ (line | line >>> 1)) & (1L << 41) - 1;
        }
        BitSet composite = new BitSet();
        for (int i = 2; i * i < 100; i++) {
            for (int j = i * i; j < 100; j += i) {
                composite.set(j);
            }
        }
        int[][] s = new int[7][7];
        int x = 3;
        int y = 3;
        int dx = 1;
        int dy = 0;
        for (int n = 1, run = 1, left = 1, turns = 0; n <= 49; n++) {
            s[y][x] = n;
            x += dx;
            y += dy;
            if (--left == 0) {
                int t = dx;
                dx = dy;
                dy = -t;
                run += turns++ & 1;
                left = run;
            }
        }
        for (int[] row : s) {
            for (int n : row) {
                System.out.print(n > 1 && !composite.get(n) ? String.format("%3d", n) : "  .");
            }
            System.out.println();
        }
        StringBuilder b = new StringBuilder();
        tower(4, 'A', 'B', 'C', b);
        System.out.println(b + "" + moves);
    }
}
