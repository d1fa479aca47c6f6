package shelf;

/** Everything a field can hold, and names that get in the way. */
public final class Int extends Base {
    public enum Colour { RED, GREEN { @Override int weight() { return 2; } };
        int weight() { return 1; }
    }
    private enum Hidden { ONE, TWO }
    record Point(int x, Int owner, String name) { }
    private record Secret(Object inner) { }
    static final class Method { int $; }
    private static final class Cell { Object[] content; Cell[] cells; }
    final class Inner { }

    boolean truth;
    byte small;
    short medium;
    char letter;
    int number;
    long large;
    float single;
    double real;
    Object next;
    String text;
    Integer box;
    Comparable<?> comparable;
    Colour colour;
    private Hidden hidden;
    Point point;
    private Secret secret;
    Method method;
    private Cell cell;
    int[][] grid;
    String[] words;
    double[] reals;
    char[] letters;
    boolean[] truths;
    Object[] objects;
    final Object fixed;
    Inner inner;
    int gr\u00f6\u00dfe;

    private Int() {
        throw new IllegalStateException("never run");
    }

    public boolean truth() { return truth; }
    public byte small() { return small; }
    public short medium() { return medium; }
    public char character() { return letter; }
    public int number() { return number; }
    public long large() { return large; }
    public float single() { return single; }
    public double real() { return real; }
    public String text() { return text; }
    public Integer box() { return box; }
    public Comparable<?> comparable() { return comparable; }
    public Colour colour() { return colour; }
    public String hidden() { return hidden.name(); }
    public int x() { return point.x; }
    public boolean isOwner() { return point.owner == this && secret.inner == point; }
    public Object secret() { return secret; }
    public int dollar() { return method.$; }
    public Object next() { return next; }
    public Object fixed() { return fixed; }
    public boolean isOwn(Inner other) { return inner == other; }
    public String word(int index) { return words[index]; }
    public int gr\u00f6\u00dfe() { return gr\u00f6\u00dfe; }
    public int cell(int row, int column) { return grid[row][column]; }
    public double real(int index) { return reals[index]; }
    public char letter(int index) { return letters[index]; }
    public Object object(int index) { return objects[index]; }
    public boolean isSelf() { return cell.cells[0] == cell && cell.cells[1] == null && cell.content[1] == cell; }
    public boolean isSame(Object a, Object b) { return a == b; }
    private String describe(byte b, short s, char c, float f, double d, Hidden h, Object o) {
        return b + " " + s + " " + c + " " + f + " " + d + " " + h + " " + o;
    }
    static int weight(Colour colour) { return colour.weight(); }
    private static int count(Object... values) { return values.length; }
    public void fail() throws Exception { throw new Exception("checked"); }
    public void overflow() { overflow(); }

    @Deprecated
    public boolean legacy() { return true; }
}
