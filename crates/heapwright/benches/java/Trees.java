/** A tree built and walked by recursion, over and over. */
public class Trees {
    private final Trees left;
    private final Trees right;

    Trees(Trees left, Trees right) {
        this.left = left;
        this.right = right;
    }

    static Trees build(int depth) {
        return depth == 0 ? new Trees(null, null) : new Trees(build(depth - 1), build(depth - 1));
    }

    int count() {
        return left == null ? 1 : 1 + left.count() + right.count();
    }

    public static void main(String[] args) {
        int nodes = 0;
        for (int round = 0; round < 30; round++) {
            nodes += build(16).count();
        }
        System.out.println(nodes);
    }
}
