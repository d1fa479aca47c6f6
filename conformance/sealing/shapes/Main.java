package sealing.shapes;

/** Sealed hierarchies with patterns in instanceof, permitted records and classes. */
public class Main {
    sealed interface Expr permits Num, Neg, Bin { }
    record Num(int value) implements Expr { }
    record Neg(Expr inner) implements Expr { }
    static abstract sealed class Bin implements Expr permits Add, Mul {
        final Expr left, right;

        Bin(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }
    }
    static final class Add extends Bin { Add(Expr l, Expr r) { super(l, r); } }
    static non-sealed class Mul extends Bin { Mul(Expr l, Expr r) { super(l, r); } }
    static class Square extends Mul { Square(Expr e) { super(e, e); } }

    static int eval(Expr e) {
        if (e instanceof Num n) return n.value();
        if (e instanceof Neg n && n.inner() instanceof Neg m) return eval(m.inner());
        if (e instanceof Neg n) return -eval(n.inner());
        if (e instanceof Add a) return eval(a.left) + eval(a.right);
        if (e instanceof Mul m) return eval(m.left) * eval(m.right);
        throw new AssertionError(e);
    }

    static String show(Expr e) {
        if (!(e instanceof Bin b)) {
            return e instanceof Num n ? "" + n.value() : "-" + show(((Neg) e).inner());
        }
        return "(" + show(b.left) + (b instanceof Add ? "+" : "*") + show(b.right) + ")";
    }

    public static void main(String[] args) {
        Expr[] all = {new Num(5), new Neg(new Num(3)), new Neg(new Neg(new Num(4))), new Add(new Num(1), new Neg(new Num(2))),
            new Mul(new Add(new Num(2), new Num(3)), new Num(-4)), new Square(new Num(12))};
        for (Expr e : all) {
            System.out.println(show(e) + " = " + eval(e) + " " + (e instanceof Bin) + " " + e.getClass().getSimpleName());
        }
        System.out.println(new Neg(new Num(1)) + " " + new Neg(new Num(1)).equals(new Neg(new Num(1))));
        System.out.println(Expr.class.isSealed() + " " + Mul.class.isSealed() + " " + Expr.class.getPermittedSubclasses().length);
        try {
            eval(null);
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
    }
}
