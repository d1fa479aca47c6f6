package algorithms.numeric;

/** Sieve, greatest common divisor, powers modulo, primes, perfect numbers, Collatz, Fibonacci. */
public class Main {
    static boolean[] sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        composite[0] = composite[1] = true;
        for (int i = 2; (long) i * i <= n; i++) {
            if (composite[i]) continue;
            for (int j = i * i; j <= n; j += i) composite[j] = true;
        }
        return composite;
    }

    static long gcd(long a, long b) {
        while (b != 0) {
            long t = a % b;
            a = b;
            b = t;
        }
        return Math.abs(a);
    }

    static long power(long base, long exponent, long modulus) {
        long result = 1;
        for (base %= modulus; exponent > 0; exponent >>= 1) {
            if ((exponent & 1) == 1) result = result * base % modulus;
            base = base * base % modulus;
        }
        return result;
    }

    static String factors(long n) {
        StringBuilder sb = new StringBuilder();
        for (long p = 2; p * p <= n; p++) {
            int e = 0;
            for (; n % p == 0; n /= p) e++;
            if (e > 0) sb.append(p).append('^').append(e).append(' ');
        }
        return n > 1 ? sb.append(n).toString() : sb.toString().trim();
    }

    static int collatz(long n) {
        int steps = 0;
        for (; n != 1; steps++) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        return steps;
    }

    static int squareRoot(int n) {
        int low = 0, high = 46340;
        while (low < high) {
            int mid = low + high + 1 >>> 1;
            if (mid * mid <= n) low = mid;
            else high = mid - 1;
        }
        return low;
    }

    public static void main(String[] args) {
        boolean[] composite = sieve(10000);
        int count = 0, last = 0;
        for (int i = 0; i < composite.length; i++) {
            if (!composite[i]) {
                count++;
                last = i;
                if (count <= 15) System.out.print(i + " ");
            }
        }
        System.out.println(count + " " + last);
        System.out.println(gcd(1071, 462) + " " + gcd(-48, 18) + " " + gcd(0, 5) + " " + gcd(1L << 40, 3L << 35));
        System.out.println(power(2, 100, 1000000007) + " " + power(7, 1L << 40, 998244353) + " " + power(5, 0, 9));
        for (long n : new long[] {360, 97, 1001, 1L << 20, 600851475143L}) {
            System.out.println(n + " = " + factors(n) + ", " + collatz(n) + " steps");
        }
        for (int n = 2; n < 10000; n++) {
            int sum = 1;
            for (int d = 2; d * d <= n; d++) {
                if (n % d == 0) sum += d + (d * d == n ? 0 : n / d);
            }
            if (sum == n) System.out.print(n + " ");
        }
        System.out.println();
        long a = 0, b = 1;
        for (int i = 0; i < 100; i++) {
            long t = a + b;
            a = b;
            b = t;
            if (i % 10 == 9) System.out.print(a + " ");
        }
        System.out.println();
        System.out.println(squareRoot(0) + " " + squareRoot(15) + " " + squareRoot(16) + " " + squareRoot(Integer.MAX_VALUE));
        double x = 1;
        for (int i = 0; i < 6; i++) {
            x = (x + 2 / x) / 2;
        }
        System.out.println(x);
        double pi = 0;
        for (int k = 0; k < 10000; k++) {
            pi += (k % 2 == 0 ? 4.0 : -4.0) / (2 * k + 1);
        }
        System.out.println(pi);
        int hash = 0x811c9dc5;
        for (byte c : "fowler noll vo".getBytes()) {
            hash = (hash ^ c) * 0x01000193;
        }
        System.out.println(Integer.toHexString(hash));
    }
}
