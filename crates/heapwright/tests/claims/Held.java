package claims;

/** Compares inputs with objects that static fields refer to, which may be these inputs. */
class Held {
    static final int[] EMPTY = {};
    static final Node NONE = new Node();

    enum Side {
        LEFT,
        RIGHT
    }

    static class Node {
        Node next;
    }

    static int node(Node node) {
        return node == NONE ? 1 : 0;
    }

    static int next(Node node) {
        return node != null && node.next == NONE ? 1 : 0;
    }

    static int equal(Node node) {
        return NONE.equals(node) ? 1 : 0;
    }

    static int empty(int[] values) {
        return values == EMPTY ? 1 : 0;
    }

    static void differs(Node node) {
        assert node != NONE;
    }

    static int made(Node node) {
        return node == new Node() ? 1 : 0;
    }

    static int side(Side side) {
        return side == null ? 0 : side == Side.LEFT ? 1 : side == Side.RIGHT ? 2 : 3;
    }
}
