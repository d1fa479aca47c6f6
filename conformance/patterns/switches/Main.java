package patterns.switches;

/** Switches over types with guards, null, sealed hierarchies and enum constants of an interface. */
public class Main {
    sealed interface Shape permits Circle, Square, Line { }
    record Circle(double radius) implements Shape { }
    record Square(int side) implements Shape { }
    enum Line implements Shape { SHORT, LONG }

    static String describe(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 100 -> "large " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + l;
            case String s when s.isEmpty() -> "empty";
            case String s -> s.length() + " chars";
            case Line l when l == Line.LONG -> "long line";
            case int[] a -> "ints " + a.length;
            case Character c -> "char " + (char) (c + 1);
            case Enum<?> e -> "enum " + e.ordinal();
            default -> o.getClass().getSimpleName();
        };
    }

    static double area(Shape s) {
        return switch (s) {
            case Circle c -> c.radius() * c.radius() * 3;
            case Square q -> q.side() * q.side();
            case Line.SHORT -> 0.5;
            case Line.LONG -> 1;
        };
    }

    static int statement(CharSequence c) {
        int r = 0;
        switch (c) {
            case String s when s.startsWith("a"):
                r += 1;
                break;
            case StringBuilder sb:
                r += sb.length();
                sb.append("!");
                break;
            case String s:
                r += 1000;
                break;
            default:
                r = -1;
        }
        return r;
    }

    public static void main(String[] args) {
        Object[] all = {null, 5, 500, 7L, "", "text", Line.LONG, Line.SHORT, new int[3], 'a', 2.5, new Object[0], new Square(1)};
        for (Object o : all) {
            System.out.println(describe(o));
        }
        Shape[] shapes = {new Circle(2), new Square(3), Line.SHORT, Line.LONG};
        for (Shape s : shapes) {
            System.out.println(area(s));
        }
        StringBuilder sb = new StringBuilder("four");
        System.out.println(statement("abc") + statement("xyz") + statement(sb) + statement(new StringBuffer()) + " " + sb);
        try {
            area(null);
        } catch (NullPointerException e) {
            System.out.println("null shape");
        }
        String word = "b";
        System.out.println(switch (word) { case "a", "b" -> 1; case String s when s.length() > 3 -> 2; case String s -> 3; });
    }
}
