package numbers.elementary;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** Functions of `Math` that may differ from the exact value in the last bit: within bounds, and at their edges. */
public class Main {
    private static final double[] EDGES = {
        0.0, -0.0, 1, -1, 2, 10, 100, 1e22, 1e300, Double.MIN_VALUE, Double.MAX_VALUE, -5.5,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 709, 710, -745, -746, 0x1p-30, Math.PI,
    };

    private static void check(String name, DoubleUnaryOperator function, DoubleUnaryOperator strict) {
        StringBuilder edges = new StringBuilder(name);
        for (double edge : EDGES) {
            edges.append(' ').append(function.applyAsDouble(edge));
        }
        System.out.println(edges);
        Random random = new Random(7);
        int far = 0;
        for (int i = 0; i < 2000; i++) {
            double x = random.nextDouble() * (i % 3 == 0 ? 1 : i % 3 == 1 ? 100 : 700);
            double one = function.applyAsDouble(x);
            double other = strict.applyAsDouble(x);
            if (Math.abs(one - other) > 1.5 * Math.ulp(other)) {
                far++;
            }
        }
        System.out.println(name + " is far from its strict value for " + far);
    }

    public static void main(String[] args) {
        check("sin", Math::sin, StrictMath::sin);
        check("cos", Math::cos, StrictMath::cos);
        check("tan", Math::tan, StrictMath::tan);
        check("exp", Math::exp, StrictMath::exp);
        check("log", Math::log, StrictMath::log);
        check("log10", Math::log10, StrictMath::log10);
        check("tanh", Math::tanh, StrictMath::tanh);
        check("cbrt", Math::cbrt, StrictMath::cbrt);
        check("power", x -> Math.pow(x, 1.3), x -> StrictMath.pow(x, 1.3));
        double[] exponents = {0, -0.0, 1, -1, 2, 3, 0.5, -2.5, 1e300, -1e300, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double x : EDGES) {
            StringBuilder line = new StringBuilder("pow " + x);
            for (double y : exponents) {
                line.append(' ').append(Math.pow(x, y) == StrictMath.pow(x, y) || Math.pow(x, y) != Math.pow(x, y));
                line.append(Double.isNaN(Math.pow(x, y)));
            }
            System.out.println(line);
        }
        long powers = 0;
        for (int i = 1; i < 100; i++) {
            for (int n = 0; n < 8; n++) {
                powers = 31 * powers + (long) Math.pow(i, n);
            }
        }
        System.out.println(powers);
        Random random = new Random(8);
        long logs = 0;
        for (int i = 0; i < 3000; i++) {
            double x = Math.abs(Double.longBitsToDouble(random.nextLong()));
            if (!Double.isNaN(x)) {
                logs = 31 * logs + Double.doubleToLongBits(Math.log(x));
                logs = 31 * logs + Double.doubleToLongBits(Math.log10(x));
            }
        }
        System.out.println(logs);
    }
}
