package algorithms.btree;

import java.util.Arrays;

/** A B-tree of order four: insertion with splitting, search, walk, shape. */
public final class Main {
    private static final int MAX = 3;

    static final class Node {
        int n;
        final int[] keys = new int[MAX];
        final Node[] kids = new Node[MAX + 1];

        boolean leaf() {
            return kids[0] == null;
        }
    }

    private Node root = new Node();
    private int size;

    private static void split(Node p, int i) {
        Node left = p.kids[i];
        Node right = new Node();
        right.n = 1;
        right.keys[0] = left.keys[2];
        right.kids[0] = left.kids[2];
        right.kids[1] = left.kids[3];
        left.kids[2] = left.kids[3] = null;
        left.n = 1;
        System.arraycopy(p.keys, i, p.keys, i + 1, p.n - i);
        System.arraycopy(p.kids, i + 1, p.kids, i + 2, p.n - i);
        p.keys[i] = left.keys[1];
        p.kids[i + 1] = right;
        p.n++;
    }

    boolean add(int k) {
        if (root.n == MAX) {
            Node r = new Node();
            r.kids[0] = root;
            root = r;
            split(r, 0);
        }
        Node at = root;
        while (true) {
            int i = Arrays.binarySearch(at.keys, 0, at.n, k);
            if (i >= 0) {
                return false;
            }
            i = -i - 1;
            if (at.leaf()) {
                System.arraycopy(at.keys, i, at.keys, i + 1, at.n - i);
                at.keys[i] = k;
                at.n++;
                size++;
                return true;
            }
            if (at.kids[i].n == MAX) {
                split(at, i);
                if (k == at.keys[i]) {
                    return false;
                }
                i += k > at.keys[i] ? 1 : 0;
            }
            at = at.kids[i];
        }
    }

    private static String shape(Node n) {
        if (n == null) {
            return "";
        }
        StringBuilder b = new StringBuilder("(");
        for (int i = 0; i <= n.n; i++) {
            b.append(shape(n.kids[i])).append(i < n.n ? (i > 0 && n.leaf() ? "," : "") + n.keys[i] : "");
        }
        return b.append(")").toString();
    }

    public static void main(String[] args) {
        Main t = new Main();
        int added = 0;
        for (int i = 0; i < 40; i++) {
            added += t.add(i * 17 % 31) ? 1 : 0;
        }
        System.out.println(added + " " + t.size + " " + shape(t.root));
        Main up = new Main();
        for (int i = 0; i < 12; i++) {
            up.add(i);
            System.out.println(shape(up.root));
        }
    }
}
