// A small class with an invariant and a little of everything a search looks at, for tests that
// damage it.
public class M0000 implements Comparable<M0000> {
    private int size;
    private long stamp;
    private boolean open;
    private double weight;
    private String name;
    private Integer boxed;
    private Object any;
    private int[] numbers = new int[1];
    private M0000 next;
    private M0000[] others;
    protected static int made;

    public boolean repOK() {
        if (next != null && next != this || others != null && others.length > 1) {
            return false;
        }
        if (boxed != null && boxed > size || any == next && open) {
            throw new IllegalStateException("not " + size);
        }
        return numbers == null || numbers.length <= 1 && (name == null || name.length() < 3) && weight >= stamp;
    }

    public int size() {
        return size;
    }

    public M0000 push(int number, M0000 other, String text) {
        size += number / size;
        next = other;
        name = text + other;
        return this;
    }

    public Object[] parts() {
        return new Object[] {boxed, numbers.clone(), any, name.charAt(1)};
    }

    @Override
    public int compareTo(M0000 other) {
        return Long.compare(stamp, other.stamp);
    }

    @Override
    public String toString() {
        return "[" + size + ' ' + open + ']';
    }

    public static void main(String[] args) {
        System.out.println(new M0000().repOK());
    }
}
