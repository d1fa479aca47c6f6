package algorithms.redblack;

/** A left-leaning red-black tree: rotations, colour flips and its invariant. */
public class Main {
    static final boolean RED = true, BLACK = false;

    static class Node {
        final String key;
        int value;
        Node left, right;
        boolean color = RED;

        Node(String key, int value) {
            this.key = key;
            this.value = value;
        }
    }

    static int rotations, flips;

    static boolean red(Node n) {
        return n != null && n.color == RED;
    }

    static Node rotateLeft(Node h) {
        rotations++;
        Node x = h.right;
        h.right = x.left;
        x.left = h;
        x.color = h.color;
        h.color = RED;
        return x;
    }

    static Node rotateRight(Node h) {
        rotations++;
        Node x = h.left;
        h.left = x.right;
        x.right = h;
        x.color = h.color;
        h.color = RED;
        return x;
    }

    static Node put(Node h, String key, int value) {
        if (h == null) return new Node(key, value);
        int c = key.compareTo(h.key);
        if (c < 0) h.left = put(h.left, key, value);
        else if (c > 0) h.right = put(h.right, key, value);
        else h.value += value;
        if (red(h.right) && !red(h.left)) h = rotateLeft(h);
        if (red(h.left) && red(h.left.left)) h = rotateRight(h);
        if (red(h.left) && red(h.right)) {
            flips++;
            h.color = RED;
            h.left.color = h.right.color = BLACK;
        }
        return h;
    }

    static int blackHeight(Node n) {
        if (n == null) return 1;
        if (red(n) && (red(n.left) || red(n.right))) throw new IllegalStateException("two reds at " + n.key);
        int l = blackHeight(n.left), r = blackHeight(n.right);
        if (l != r) throw new IllegalStateException("unbalanced at " + n.key);
        return l + (red(n) ? 0 : 1);
    }

    static void print(Node n, String indent) {
        if (n == null) return;
        print(n.right, indent + "  ");
        System.out.println(indent + n.key + "=" + n.value + (n.color ? "*" : ""));
        print(n.left, indent + "  ");
    }

    public static void main(String[] args) {
        Node root = null;
        String text = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness";
        for (String word : text.split(" ")) {
            root = put(root, word, 1);
            root.color = BLACK;
            System.out.print(blackHeight(root));
        }
        System.out.println();
        print(root, "");
        System.out.println(rotations + " " + flips);
        Node numbers = null;
        for (int i = 0; i < 256; i++) {
            numbers = put(numbers, Integer.toString(1000 + i), i);
            numbers.color = BLACK;
        }
        System.out.println(blackHeight(numbers) + " " + numbers.key + " " + rotations + " " + flips);
        numbers.left.color = RED;
        numbers.left.left.color = RED;
        try {
            blackHeight(numbers);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
