package classes.locals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Local records, enums and interfaces; sealed hierarchies; private interface methods. */
public final class Main {
    sealed interface Expr permits Num, Sum, Neg {
        private int helper(int x) {
            return x * scale();
        }

        private static int twice(int x) {
            return 2 * x;
        }

        default int scale() {
            return 1;
        }

        default int eval() {
            if (this instanceof Num n) {
                return helper(n.v());
            } else if (this instanceof Sum s) {
                return s.l().eval() + s.r().eval();
            } else if (this instanceof Neg n && n.e() != null) {
                return -n.e().eval();
            }
            return twice(-1);
        }
    }

    record Num(int v) implements Expr {
        public int scale() {
            return 10;
        }
    }

    record Sum(Expr l, Expr r) implements Expr {}

    static non-sealed class Neg implements Expr {
        Expr e() {
            return new Num(4);
        }
    }

    interface Left {
        default String hi() {
            return "left";
        }
    }

    interface Right {
        default String hi() {
            return "right";
        }
    }

    interface Lower extends Left {
        default String hi() {
            return "lower(" + Left.super.hi() + ")";
        }
    }

    static class Both implements Lower, Right, Left {
        public String hi() {
            return Lower.super.hi() + "+" + Right.super.hi();
        }
    }

    public static void main(String[] args) {
        record Pair<A, B>(A a, B b) {
            static int count;

            Pair {
                count++;
            }

            <C> Pair<A, C> with(C c) {
                return new Pair<>(a, c);
            }
        }
        enum Level {
            LOW, HIGH;

            Level flip() {
                return values()[1 - ordinal()];
            }
        }
        interface Shape {
            int area();

            static Shape square(int n) {
                return () -> n * n;
            }
        }
        System.out.println(new Pair<>(1, "x").with(Level.LOW.flip()) + " " + Pair.count + " " + new Pair<>(null, 2).equals(new Pair<>(null, 2)));
        System.out.println(Shape.square(7).area() + " " + Arrays.toString(Level.values()));
        System.out.println(new Sum(new Num(1), new Sum(new Neg(), new Num(2))).eval() + " " + new Neg() {
            @Override
            Expr e() {
                return null;
            }
        }.eval());
        System.out.println(new Both().hi() + " " + Expr.class.isSealed() + " " + Expr.class.getPermittedSubclasses().length + " " + Neg.class.isSealed());
        List<Pair<String, Integer>> l = new java.util.ArrayList<>(List.of(new Pair<>("b", 2), new Pair<>("a", 2), new Pair<>("c", 1)));
        l.sort(Comparator.comparing((Pair<String, Integer> p) -> p.b()).thenComparing(Pair::a, Comparator.reverseOrder()));
        System.out.println(l + " " + l.hashCode() + " " + Pair.class.isRecord() + " " + Level.class.isEnum() + " " + Pair.class.isLocalClass());
    }
}
