package launching.mainofrecord;

/** The main method of a record. */
public record Main(int a, String... rest) {
    public Main {
        a *= 2;
    }

    public static void main(String[] args) {
        Main m = new Main(4, "x", "y");
        System.out.println(m.a() + " " + m.rest().length + " " + m.equals(new Main(4, m.rest())) + " " + m.equals(new Main(4, "x", "y")));
        throw new IllegalStateException(new Main(1).rest().length + " left");
    }
}
