package numbers.strictmath;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Functions that have one right result: to the last bit, over arguments of every size. */
public class Main {
    private static final double[] EDGES = {
        0.0, -0.0, 1, -1, 0.5, -0.5, 2, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE,
        -Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN,
        Math.PI, Math.PI / 2, Math.PI / 4, 3 * Math.PI / 4, 0x1p19 * Math.PI / 2, 0x1.0p66, 0x1p-27, 0x1p-28,
        0x1p-29, 0x1p-54, 0x1p-57, 0.4375, 0.6875, 1.1875, 2.4375, 0.675, 0.975, 22, 709.78, -709.79, 710.4758,
        710.4759, -745.13, -745.14, 0.41422, -0.2929, 0x1.fffffep-1, 1e22, 5.319372648326541e255,
    };

    private static long state = 20261122;

    private static long next() {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return state ^ (state >>> 29);
    }

    private static double point(int i) {
        double unit = (next() >>> 11) * 0x1p-53;
        switch (i % 6) {
            case 0: return 2 * unit - 1;
            case 1: return 40 * unit - 20;
            case 2: return 3000 * unit - 1500;
            case 3: return (unit - 0.5) * 0x1p30;
            case 4: return (i & 31) * (Math.PI / 4) + (unit - 0.5) * 0x1p-40;
            default: return Double.longBitsToDouble(next());
        }
    }

    private static String text(double x) {
        return Double.toHexString(x);
    }

    private static void check(String name, DoubleUnaryOperator function) {
        StringBuilder edges = new StringBuilder(name);
        for (double edge : EDGES) {
            edges.append(' ').append(text(function.applyAsDouble(edge)));
        }
        System.out.println(edges);
        for (int block = 0; block < 20; block++) {
            long hash = 0;
            for (int i = 0; i < 150; i++) {
                double result = function.applyAsDouble(point(i));
                hash = 31 * hash + Double.doubleToLongBits(result);
            }
            System.out.println(name + " " + block + " " + Long.toHexString(hash));
        }
    }

    private static void check(String name, DoubleBinaryOperator function) {
        long edges = 0;
        for (double one : EDGES) {
            for (double other : EDGES) {
                edges = 31 * edges + Double.doubleToLongBits(function.applyAsDouble(one, other));
            }
        }
        System.out.println(name + " " + Long.toHexString(edges));
        for (int block = 0; block < 20; block++) {
            long hash = 0;
            for (int i = 0; i < 100; i++) {
                double result = function.applyAsDouble(point(i), point(i / 6));
                hash = 31 * hash + Double.doubleToLongBits(result);
            }
            System.out.println(name + " " + block + " " + Long.toHexString(hash));
        }
    }

    public static void main(String[] args) {
        Map<String, DoubleUnaryOperator> unary = new LinkedHashMap<>();
        unary.put("sin", StrictMath::sin);
        unary.put("cos", StrictMath::cos);
        unary.put("tan", StrictMath::tan);
        unary.put("asin", StrictMath::asin);
        unary.put("acos", StrictMath::acos);
        unary.put("atan", StrictMath::atan);
        unary.put("exp", StrictMath::exp);
        unary.put("expm1", StrictMath::expm1);
        unary.put("log", StrictMath::log);
        unary.put("log10", StrictMath::log10);
        unary.put("log1p", StrictMath::log1p);
        unary.put("sinh", StrictMath::sinh);
        unary.put("cosh", StrictMath::cosh);
        unary.put("tanh", StrictMath::tanh);
        unary.put("cbrt", StrictMath::cbrt);
        unary.put("sqrt", StrictMath::sqrt);
        unary.put("rint", StrictMath::rint);
        unary.forEach(Main::check);
        check("atan2", StrictMath::atan2);
        check("pow", StrictMath::pow);
        check("hypot", StrictMath::hypot);
        check("IEEEremainder", StrictMath::IEEEremainder);
        check("fma", (x, y) -> StrictMath.fma(x, y, 1.5));
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            long hash = 0;
            for (int i = 0; i < 25; i++) {
                hash = 31 * hash + Double.doubleToLongBits(random.nextGaussian());
            }
            System.out.println(seed + " " + Long.toHexString(hash));
        }
    }
}
