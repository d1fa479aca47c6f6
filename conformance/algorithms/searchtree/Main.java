package algorithms.searchtree;

/** A binary search tree with insertion, removal of every kind and traversals. */
public class Main {
    static class Node {
        int key;
        Node left, right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;
    private int size;

    boolean insert(int key) {
        if (root == null) {
            root = new Node(key);
            size++;
            return true;
        }
        Node n = root;
        while (true) {
            if (key == n.key) return false;
            Node next = key < n.key ? n.left : n.right;
            if (next == null) {
                if (key < n.key) n.left = new Node(key);
                else n.right = new Node(key);
                size++;
                return true;
            }
            n = next;
        }
    }

    boolean remove(int key) {
        int before = size;
        root = remove(root, key);
        return size < before;
    }

    private Node remove(Node n, int key) {
        if (n == null) return null;
        if (key < n.key) {
            n.left = remove(n.left, key);
        } else if (key > n.key) {
            n.right = remove(n.right, key);
        } else if (n.left == null || n.right == null) {
            size--;
            return n.left == null ? n.right : n.left;
        } else {
            Node successor = n.right;
            while (successor.left != null) successor = successor.left;
            n.key = successor.key;
            n.right = remove(n.right, successor.key);
        }
        return n;
    }

    static int height(Node n) {
        return n == null ? 0 : 1 + Math.max(height(n.left), height(n.right));
    }

    static String shape(Node n) {
        return n == null ? "." : "(" + shape(n.left) + n.key + shape(n.right) + ")";
    }

    boolean repOk() {
        return ordered(root, Long.MIN_VALUE, Long.MAX_VALUE) && count(root) == size;
    }

    private static boolean ordered(Node n, long low, long high) {
        return n == null || low < n.key && n.key < high && ordered(n.left, low, n.key) && ordered(n.right, n.key, high);
    }

    private static int count(Node n) {
        return n == null ? 0 : 1 + count(n.left) + count(n.right);
    }

    public static void main(String[] args) {
        Main tree = new Main();
        int[] keys = {50, 30, 70, 20, 40, 60, 80, 30, 65, 10, 45, 42};
        for (int k : keys) {
            System.out.println(k + " " + tree.insert(k) + " " + shape(tree.root));
        }
        System.out.println(tree.size + " " + height(tree.root) + " " + tree.repOk());
        for (int k : new int[] {10, 99, 30, 50, 70, 60, 20, 80}) {
            System.out.println(k + " " + tree.remove(k) + " " + shape(tree.root) + " " + tree.repOk());
        }
        long state = 12345;
        for (int i = 0; i < 500; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int k = (int) (state >>> 55);
            if (i % 3 == 2) tree.remove(k);
            else tree.insert(k);
        }
        System.out.println(tree.size + " " + height(tree.root) + " " + tree.repOk() + " " + shape(tree.root).hashCode());
    }
}
