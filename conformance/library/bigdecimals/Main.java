package library.bigdecimals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** BigDecimal: scale, rounding, text. */
public class Main {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("12.3450"), b = new BigDecimal("-0.007");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b, 5, RoundingMode.HALF_UP) + " " + a.negate());
        System.out.println(a.scale() + " " + a.precision() + " " + a.unscaledValue() + " " + a.stripTrailingZeros() + " " + a.setScale(1, RoundingMode.HALF_EVEN));
        for (RoundingMode m : RoundingMode.values()) {
            if (m != RoundingMode.UNNECESSARY) {
                System.out.println(m + " " + new BigDecimal("2.5").setScale(0, m) + " " + new BigDecimal("-2.5").setScale(0, m) + " " + new BigDecimal("1.1").setScale(0, m));
            }
        }
        System.out.println(new BigDecimal("1E+5") + " " + new BigDecimal("1E+5").toPlainString() + " " + new BigDecimal("0.0000001") + " " + new BigDecimal(0.1));
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " " + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " " + BigDecimal.valueOf(2.50) + " " + BigDecimal.valueOf(25, 1));
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(7), MathContext.DECIMAL64) + " " + a.round(new MathContext(3)) + " " + a.pow(3) + " " + a.intValue() + " " + a.doubleValue());
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            a.setScale(1, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(a.remainder(new BigDecimal("5")) + " " + a.movePointLeft(3) + " " + a.max(b) + " " + a.signum() + " " + a.hashCode());
    }
}
