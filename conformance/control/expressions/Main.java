package control.expressions;

/** switch expressions: yield, exhaustive enum switches, nesting, throwing, on the operand stack. */
public class Main {
    enum Shape { CIRCLE, SQUARE, TRIANGLE }

    static int corners(Shape s) {
        return switch (s) {
            case CIRCLE -> 0;
            case SQUARE -> 4;
            case TRIANGLE -> 3;
        };
    }

    static double mixed(int i) {
        return 1 + switch (i) {
            case 0 -> 1;
            case 1 -> 2L;
            case 2 -> 0.5f;
            default -> {
                int sum = 0;
                for (int k = 0; k < i; k++) {
                    sum += k;
                }
                yield sum;
            }
        } * 2;
    }

    static String old(int i) {
        return "<" + switch (i) {
            case 1:
            case 2:
                yield "few";
            case 3:
                String t = "three";
                yield t;
            default:
                if (i < 0) yield "negative";
                throw new IllegalStateException("too many: " + i);
        } + ">";
    }

    static String guarded(int i) {
        return i + ":" + switch (i) {
            case 0 -> {
                try {
                    yield String.valueOf(10 / i);
                } catch (ArithmeticException e) {
                    yield e.getMessage();
                } finally {
                    System.out.print("finally ");
                }
            }
            default -> "fine";
        };
    }

    public static void main(String[] args) {
        int total = 0;
        for (Shape s : Shape.values()) {
            total = total * 10 + corners(s);
        }
        System.out.println(total);
        for (int i = 0; i < 5; i++) {
            System.out.println(mixed(i));
        }
        for (int i = -1; i < 5; i++) {
            try {
                System.out.println(old(i));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(guarded(0));
        System.out.println(guarded(1));
        try {
            corners(null);
        } catch (NullPointerException e) {
            System.out.println("null shape");
        }
    }
}
