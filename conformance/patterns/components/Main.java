package patterns.components;

/** Record patterns whose cases differ in guards on primitive components, of one word and of two. */
public class Main {
    record Small(int value) { }
    record Large(long value, int unit) { }
    record Exact(double value) { }
    record Flag(boolean value) { }
    record Letter(char value) { }

    static String of(Object object) {
        return switch (object) {
            case Small(int value) when value < 0 -> "negative " + value;
            case Small(int value) when value > 9 -> "large " + value;
            case Small(int value) -> "digit " + value;
            case Large(long value, int unit) when value > 1L << 40 -> "huge " + unit;
            case Large(long value, int unit) when unit == 0 -> "bare " + value;
            case Large(long value, int unit) -> value + " of " + unit;
            case Exact(double value) when value != value -> "no number";
            case Exact(double value) -> "exact " + value;
            case Flag(boolean value) when value -> "set";
            case Flag(boolean value) -> "not set";
            case Letter(char value) when value == 'x' -> "x";
            case Letter(char value) -> "letter " + value;
            default -> "other";
        };
    }

    public static void main(String[] args) {
        for (int value : new int[] {-3, 0, 9, 10}) {
            System.out.println(of(new Small(value)));
        }
        System.out.println(of(new Large(1L << 41, 7)));
        System.out.println(of(new Large(1L << 40, 0)));
        System.out.println(of(new Large(-1, 2)));
        System.out.println(of(new Exact(Double.NaN)));
        System.out.println(of(new Exact(-0.0)));
        System.out.println(of(new Flag(true)));
        System.out.println(of(new Flag(false)));
        System.out.println(of(new Letter('x')));
        System.out.println(of(new Letter('y')));
        System.out.println(of("text"));
    }
}
