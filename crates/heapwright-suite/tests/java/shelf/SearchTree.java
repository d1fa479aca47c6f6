package shelf;

/** A binary search tree whose nodes nobody outside can name. */
public class SearchTree {
    private Node root;
    private int size;

    private static final class Node {
        Node left;
        Node right;
        final int value;

        Node(int value) {
            this.value = value;
        }
    }

    private static final class Empty extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public boolean repOk() {
        return isOrdered(root, Long.MIN_VALUE, Long.MAX_VALUE) && count(root) == size;
    }

    public boolean insert(int value) {
        if (contains(value)) {
            return false;
        }
        root = insert(root, value);
        size++;
        return true;
    }

    public boolean contains(int value) {
        for (Node node = root; node != null; node = value < node.value ? node.left : node.right) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    public int min() {
        if (root == null) {
            throw new IllegalStateException("empty");
        }
        Node node = root;
        while (node.left != null) {
            node = node.left;
        }
        return node.value;
    }

    public int max() {
        if (root == null) {
            throw new Empty();
        }
        Node node = root;
        while (node.right != null) {
            node = node.right;
        }
        return node.value;
    }

    /** Forgets to count: the invariant does not survive it. */
    public void clear() {
        root = null;
    }

    private static Node insert(Node node, int value) {
        if (node == null) {
            return new Node(value);
        }
        Node copy = new Node(node.value);
        copy.left = value < node.value ? insert(node.left, value) : node.left;
        copy.right = value > node.value ? insert(node.right, value) : node.right;
        return copy;
    }

    private static boolean isOrdered(Node node, long low, long high) {
        return node == null
                || low < node.value
                        && node.value < high
                        && isOrdered(node.left, low, node.value)
                        && isOrdered(node.right, node.value, high);
    }

    private static int count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
    }
}
