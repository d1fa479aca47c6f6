package control.yields;

/** Switch expressions: arrows, yields, nesting, enums and strings, as arguments and conditions. */
public final class Main {
    enum Day { MON, TUE, WED, SAT, SUN }

    private static int letters(Day d) {
        return switch (d) {
            case MON, SUN -> 6;
            case TUE -> 7;
            case WED -> {
                int n = 0;
                for (char c : "Wednesday".toCharArray()) {
                    n += Character.isLetter(c) ? 1 : 0;
                }
                yield n;
            }
            case SAT -> {
                try {
                    yield Integer.parseInt("8");
                } finally {
                    System.out.print("[fin]");
                }
            }
        };
    }

    private static String name(int n) {
        return switch (n % 3) {
            case 0:
                yield "zero";
            case 1: {
                if (n > 10) {
                    yield "big one";
                }
            }
            default:
                yield switch (n > 5 ? "x" : "y") {
                    case "x" -> "inner x";
                    case "y" -> "inner y";
                    default -> throw new AssertionError();
                };
        };
    }

    private static double mixed(char c) {
        var x = switch (c) {
            case 'a' -> 1;
            case 'b' -> 2L;
            case 'c' -> 3.5f;
            default -> 'd';
        };
        return x;
    }

    public static void main(String[] args) {
        for (Day d : Day.values()) {
            System.out.println(d + " " + letters(d));
        }
        for (int i = 0; i < 14; i++) {
            System.out.println(i + " " + name(i));
        }
        System.out.println(mixed('a') + " " + mixed('b') + " " + mixed('c') + " " + mixed('z'));
        int base = 100;
        System.out.println(base + switch (args.length) { case 0 -> base += 5; default -> 1; } + base);
        boolean odd = switch (base) { case 105 -> true; default -> false; } && base > 3;
        System.out.println(odd);
        Day none = null;
        try {
            letters(none);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
