package arithmetic.narrowing;

/** Compound assignment to narrow types, char arithmetic and implicit casts. */
public final class Main {
    public static void main(String[] args) {
        byte b = 100;
        b += 100;
        System.out.println(b);
        b *= 1.5;
        System.out.println(b);
        b >>>= 1;
        System.out.println(b);
        b = -1;
        b >>>= 10;
        System.out.println(b);
        b ^= 0x155;
        System.out.println(b);
        short h = Short.MAX_VALUE;
        h++;
        System.out.println(h);
        h -= 1L;
        System.out.println(h);
        h /= 0.3f;
        System.out.println(h);
        char c = 'A';
        c += 1.9;
        System.out.println(c);
        c -= 'B' + 1;
        System.out.println((int) c);
        c++;
        System.out.println((int) c);
        c |= 'x';
        System.out.println(c + c + "" + c + 1);
        int i = 1;
        i += 3.99;
        System.out.println(i);
        i *= 1e10;
        System.out.println(i);
        i -= Float.NaN;
        System.out.println(i);
        i = 7;
        i <<= 33L;
        System.out.println(i);
        long l = 1;
        l <<= 65;
        System.out.println(l);
        l += Double.POSITIVE_INFINITY;
        System.out.println(l);
        l += 0.5f;
        System.out.println(l);
        float f = 16777216f;
        f += 1;
        System.out.println(f);
        f++;
        System.out.println((long) f);
        f += 1L << 40;
        System.out.println(f);
        double d = 0.1;
        d += 0.2f;
        System.out.println(d);
        char up = (char) ('a' - 32), digit = (char) ('0' + 7);
        System.out.println(up + "" + digit + (char) (up + 1) + (up + 1) + (digit - '0'));
        final int k = 10;
        byte fits = k, sum = k + 20;
        System.out.println(fits + sum);
        StringBuilder s = new StringBuilder();
        for (char x = 'z'; x >= 'a'; x -= 5) {
            s.append(x);
        }
        System.out.println(s);
        String text = "n";
        text += 1 + 2;
        text += 'c' + 1;
        text += (char) ('c' + 1);
        text += null;
        text += 1.0f;
        System.out.println(text);
    }
}
