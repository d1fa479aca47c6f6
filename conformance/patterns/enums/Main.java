package patterns.enums;

/** Pattern switches over enums and sealed types with enum constants, constants of boxes, guards that restart. */
public class Main {
    enum Color { RED, GREEN, BLUE { @Override public String toString() { return "sky"; } } }

    sealed interface Token permits Op, Num, Pair { }
    enum Op implements Token { PLUS, MINUS }
    record Num(Integer value) implements Token { }
    record Pair(Token left, Token right) implements Token { }

    static String color(Color c, boolean deep) {
        return switch (c) {
            case RED -> "r";
            case Color x when deep && x.ordinal() > 1 -> "deep " + x;
            case GREEN -> "g";
            case Color x -> "any " + x.name();
        };
    }

    static String token(Token t) {
        return switch (t) {
            case Op.PLUS -> "+";
            case Op o -> o.name().toLowerCase();
            case Num(Integer v) when v > 9 -> "big";
            case Num(var v) -> "" + v;
            case Pair(Num(Integer a), Num(Integer b)) when a.equals(b) -> "twice " + a;
            case Pair(Num n, Pair p) -> "nested " + token(p);
            case Pair(var l, var r) -> token(l) + token(r);
        };
    }

    static int boxes(Integer i) {
        return switch (i) {
            case 1 -> 10;
            case Integer n when n > 100 -> 1;
            case 200 -> 2;
            case Integer n -> -n;
        };
    }

    static String letters(Character c) {
        return switch (c) {
            case 'a', 'b' -> "early";
            case Character x when Character.isDigit(x) -> "digit";
            case Character x -> "other";
        };
    }

    static int calls;

    static Object count(Object o) {
        calls++;
        return o;
    }

    static String order(Object o) {
        switch (count(o)) {
            case String s when s.length() > count("x").hashCode():
                return "long";
            case CharSequence s when count(s) == null:
                return "null";
            case Comparable<?> c:
                return "comparable " + calls;
            default:
                return "default";
        }
    }

    public static void main(String[] args) {
        for (Color c : Color.values()) System.out.println(color(c, false) + " " + color(c, true));
        Token[] tokens = {Op.PLUS, Op.MINUS, new Num(3), new Num(30), new Pair(new Num(1), new Num(1)), new Pair(new Num(1), new Num(2)),
                new Pair(Op.MINUS, Op.PLUS), new Pair(new Num(4), new Pair(Op.PLUS, Op.PLUS))};
        for (Token t : tokens) System.out.println(token(t));
        System.out.println(boxes(1) + " " + boxes(200) + " " + boxes(50) + " " + letters('b') + " " + letters('7') + " " + letters('z'));
        System.out.println(order("text") + " " + order(new StringBuilder("b")) + " " + order(5) + " " + order(new int[0]) + " " + calls);
        try {
            color(null, true);
        } catch (NullPointerException e) {
            System.out.println("null color");
        }
        try {
            token(new Pair(null, new Num(1)));
        } catch (NullPointerException e) {
            System.out.println("null part");
        }
    }
}
