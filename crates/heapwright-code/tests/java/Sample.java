import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;

/** Code of which the tests know what can be said. */
class Sample {
    interface Shape {
        int area();
    }

    static class Square implements Shape {
        int side;

        public int area() {
            return side * side;
        }
    }

    static class Cube extends Square {
        @Override
        public int area() {
            return 6 * super.area();
        }
    }

    static class Round implements Shape, Comparable<Round> {
        int radius;

        public int area() {
            return 3 * radius * radius;
        }

        public int compareTo(Round other) {
            return radius - other.radius;
        }
    }

    private Shape shape = new Square();
    private int[] numbers;

    int certain() {
        Square square = new Square();
        square.side = 10 / 3;
        int size = 0;
        int[] fresh = new int[size];
        return this.hidden() + fresh.length + 7 % -2;
    }

    int possible(Square square, int by, int size, Object any) {
        square.side = 10 / by;
        numbers = new int[size];
        numbers[size - 1] = by;
        return ((Square) any).side;
    }

    int tested(Square square) {
        if (square == null) {
            return 0;
        }
        return square.side + square.area();
    }

    int looped(Square square, boolean longer) {
        int by = longer ? 2 : 3;
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += square.side / by;
            by--;
        }
        return sum;
    }

    private int hidden() {
        return 1;
    }

    int virtual() {
        return shape.area();
    }

    int exact() {
        return hidden() + Math.abs(-1);
    }

    static List<Round> sorted(List<Round> rounds) {
        List<Round> sorted = new ArrayList<>(rounds);
        sorted.sort(Comparator.naturalOrder());
        return sorted;
    }

    static int supplied() {
        IntSupplier supplier = () -> new Cube().area();
        return supplier.getAsInt();
    }
}
