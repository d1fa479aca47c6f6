package algorithms.unions;

/** Union-find with ranks, Kruskal's tree, topological order by counts. */
public final class Main {
    private static int find(int[] p, int x) {
        while (p[x] != x) {
            x = p[x] = p[p[x]];
        }
        return x;
    }

    public static void main(String[] args) {
        int[][] edges = {{4, 0, 1}, {8, 1, 2}, {7, 2, 3}, {9, 3, 4}, {10, 4, 5}, {2, 5, 6}, {1, 6, 7}, {8, 0, 7}, {11, 1, 7}, {2, 2, 8}, {6, 6, 8}, {4, 2, 5}};
        java.util.Arrays.sort(edges, (a, b) -> a[0] != b[0] ? a[0] - b[0] : a[1] - b[1]);
        int[] p = new int[9];
        java.util.Arrays.setAll(p, i -> i);
        int total = 0;
        for (int[] e : edges) {
            int a = find(p, e[1]);
            int b = find(p, e[2]);
            if (a != b) {
                p[a] = b;
                total += e[0];
                System.out.print(e[1] + "-" + e[2] + " ");
            }
        }
        System.out.println(total);
        int[][] after = {{1, 3}, {2, 3}, {0, 1}, {0, 2}, {3, 4}};
        int[] in = new int[5];
        for (int[] e : after) {
            in[e[1]]++;
        }
        var q = new java.util.ArrayDeque<Integer>();
        for (int i = 0; i < 5; i++) {
            if (in[i] == 0) {
                q.add(i);
            }
        }
        while (!q.isEmpty()) {
            int x = q.remove();
            System.out.print(x + " ");
            for (int[] e : after) {
                if (e[0] == x && --in[e[1]] == 0) {
                    q.add(e[1]);
                }
            }
        }
        System.out.println();
    }
}
