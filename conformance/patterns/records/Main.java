package patterns.records;

import java.util.List;

/** Record patterns: nested, generic, with var, in instanceof and switch, and a throwing accessor. */
public class Main {
    record Point(int x, long y) { }
    record Segment(Point from, Point to) { }
    record Box<T>(T content) { }
    record Bad(int value) {
        public int value() {
            throw new IllegalStateException("accessor");
        }
    }

    sealed interface Expr permits Num, Add, Neg { }
    record Num(int value) implements Expr { }
    record Add(Expr left, Expr right) implements Expr { }
    record Neg(Expr inner) implements Expr { }

    static int eval(Expr e) {
        return switch (e) {
            case Num(int v) -> v;
            case Add(Num(int a), Num(int b)) -> a + b;
            case Add(var l, var r) -> eval(l) + eval(r);
            case Neg(Neg(Expr inner)) -> eval(inner);
            case Neg(Expr inner) -> -eval(inner);
        };
    }

    static String show(Object o) {
        if (o instanceof Segment(Point(int x1, var y1), Point(int x2, long y2)) && x1 < x2) {
            return x1 + "," + y1 + "-" + x2 + "," + y2;
        }
        return switch (o) {
            case Box(String s) -> "box of text " + s;
            case Box(Box(Integer i)) -> "boxed box " + i;
            case Box(var any) -> "box of " + any;
            case Segment(Point p, var q) when q == null -> "half " + p;
            case Segment s -> "segment";
            default -> "other";
        };
    }

    public static void main(String[] args) {
        System.out.println(eval(new Add(new Num(1), new Num(2))));
        System.out.println(eval(new Neg(new Neg(new Add(new Neg(new Num(4)), new Num(10))))));
        Object[] all = {new Segment(new Point(1, 2), new Point(3, 1L << 40)), new Segment(new Point(5, 0), new Point(1, 1)),
            new Segment(new Point(5, 0), null), new Segment(null, null), new Box<>("s"), new Box<>(new Box<>(7)), new Box<>(null),
            new Box<>(List.of(1)), "x"};
        for (Object o : all) {
            System.out.println(show(o));
        }
        try {
            Object bad = new Bad(1);
            if (bad instanceof Bad(int v)) {
                System.out.println(v);
            }
        } catch (MatchException e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
    }
}
