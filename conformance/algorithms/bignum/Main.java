package algorithms.bignum;

/** Arbitrary precision arithmetic on int arrays: addition, product, division, decimal text. */
public class Main {
    static final int BASE = 1_000_000_000;
    final int[] digits;

    Main(int... digits) {
        int n = digits.length;
        while (n > 1 && digits[n - 1] == 0) n--;
        this.digits = java.util.Arrays.copyOf(digits, Math.max(n, 1));
    }

    static Main parse(String s) {
        int[] d = new int[(s.length() + 8) / 9];
        for (int end = s.length(), i = 0; end > 0; end -= 9, i++) {
            d[i] = Integer.parseInt(s.substring(Math.max(0, end - 9), end));
        }
        return new Main(d);
    }

    Main plus(Main o) {
        int n = Math.max(digits.length, o.digits.length);
        int[] r = new int[n + 1];
        int carry = 0;
        for (int i = 0; i <= n; i++) {
            int sum = carry + (i < digits.length ? digits[i] : 0) + (i < o.digits.length ? o.digits[i] : 0);
            carry = sum >= BASE ? 1 : 0;
            r[i] = sum - carry * BASE;
        }
        return new Main(r);
    }

    Main times(Main o) {
        int[] r = new int[digits.length + o.digits.length];
        for (int i = 0; i < digits.length; i++) {
            long carry = 0;
            for (int j = 0; j < o.digits.length || carry > 0; j++) {
                long t = r[i + j] + carry + (j < o.digits.length ? (long) digits[i] * o.digits[j] : 0);
                r[i + j] = (int) (t % BASE);
                carry = t / BASE;
            }
        }
        return new Main(r);
    }

    int remainder(int divisor, int[] quotient) {
        long rest = 0;
        for (int i = digits.length; i-- > 0; ) {
            long t = rest * BASE + digits[i];
            quotient[i] = (int) (t / divisor);
            rest = t % divisor;
        }
        return (int) rest;
    }

    @Override
    public String toString() {
        StringBuilder sb = new StringBuilder().append(digits[digits.length - 1]);
        for (int i = digits.length - 2; i >= 0; i--) {
            String s = Integer.toString(digits[i]);
            for (int k = s.length(); k < 9; k++) sb.append('0');
            sb.append(s);
        }
        return sb.toString();
    }

    public static void main(String[] args) {
        Main factorial = new Main(1);
        for (int i = 1; i <= 50; i++) {
            factorial = factorial.times(new Main(i));
            if (i % 10 == 0) System.out.println(i + "! = " + factorial);
        }
        Main a = new Main(0), b = new Main(1);
        for (int i = 0; i < 300; i++) {
            Main t = a.plus(b);
            a = b;
            b = t;
        }
        System.out.println(a);
        System.out.println(parse("123456789012345678901234567890").times(parse("987654321098765432109876543210")));
        System.out.println(parse("999999999999999999").plus(new Main(1)) + " " + parse("0").times(parse("55")));
        int[] q = new int[factorial.digits.length];
        System.out.println(factorial.remainder(1009, q) + " " + new Main(q));
        Main two = new Main(1);
        for (int i = 0; i < 8; i++) two = two.times(two).plus(two);
        System.out.println(two + " " + two.digits.length);
        int sum = 0;
        for (char c : factorial.toString().toCharArray()) sum += c - '0';
        System.out.println(sum);
    }
}
