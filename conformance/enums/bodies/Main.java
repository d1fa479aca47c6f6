package enums.bodies;

/** Enum constants with bodies, abstract methods, switches over enums, static state. */
public class Main {
    enum Op {
        ADD("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        SUB("-") {
            @Override
            int apply(int a, int b) {
                return a - b;
            }

            @Override
            boolean commutes() {
                return false;
            }
        },
        MUL("*") {
            int used;

            @Override
            int apply(int a, int b) {
                used++;
                return a * b + 0 * used;
            }

            @Override
            public String toString() {
                return "times" + used;
            }
        };

        final String symbol;

        Op(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);

        boolean commutes() {
            return true;
        }
    }

    enum Light {
        RED, YELLOW, GREEN;

        Light next() {
            switch (this) {
                case RED:
                    return GREEN;
                case GREEN:
                    return YELLOW;
                default:
                    return RED;
            }
        }
    }

    static int seconds(Light l) {
        int s = 0;
        switch (l) {
            case YELLOW:
                s += 1;
            case RED:
                s += 10;
                break;
            case GREEN:
                s = 100;
        }
        return s;
    }

    static String name(Op op) {
        return switch (op) {
            case ADD, SUB -> "additive";
            case MUL -> "multiplicative";
        };
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println(op + " " + op.symbol + " " + op.apply(7, 3) + " " + op.commutes() + " " + name(op)
                    + " " + (op.getClass() == Op.class) + " " + op.getDeclaringClass().getSimpleName() + " " + (op instanceof Op));
        }
        System.out.println(Op.MUL + " " + Op.MUL.name() + " " + Op.valueOf("MUL").getClass().getName());
        Light l = Light.RED;
        for (int i = 0; i < 5; i++) {
            System.out.print(l + "=" + seconds(l) + " ");
            l = l.next();
        }
        System.out.println();
        Light none = null;
        try {
            switch (none) {
                case RED -> System.out.println("red");
                default -> System.out.println("default");
            }
        } catch (NullPointerException e) {
            System.out.println("null enum");
        }
    }
}
