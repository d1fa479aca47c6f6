package arithmetic.compound;

/** Compound assignments on arrays and fields of one and two slots: all the dup forms. */
public class Main {
    static int calls;
    static long sl = 5;
    static double sd = 1.5;
    int fi = 3;
    long fl = 1L << 40;
    double fd = 0.25;
    String fs = "s";

    static int next() {
        return calls++;
    }

    Main self() {
        calls += 100;
        return this;
    }

    public static void main(String[] args) {
        int[] ia = {1, 2, 3, 4};
        long[] la = {10, 20, 30, 40};
        double[] da = {0.5, 1.5};
        String[] sa = {"x", null};
        System.out.println(ia[next()] += 5);
        System.out.println(ia[next()]++);
        System.out.println(++ia[next()]);
        System.out.println(la[next()] *= 3);
        System.out.println(la[next() - 4]--);
        System.out.println(--la[1]);
        System.out.println((la[2] <<= 33) + " " + la[2]);
        System.out.println((da[0] /= 4) + " " + da[1]++ + " " + da[1]);
        System.out.println((sa[1] += "y") + (sa[0] += 1 + 2L));
        System.out.println(calls);
        Main m = new Main();
        System.out.println(m.self().fi++ + " " + m.fi + " " + (m.self().fi -= 10));
        System.out.println(m.self().fl++ + " " + m.fl + " " + (m.fl >>>= 3));
        System.out.println(m.self().fd-- + " " + m.fd + " " + (m.fd *= 8));
        System.out.println(m.self().fs += 'c');
        System.out.println(sl++ + " " + sl + " " + (sl ^= 0xff) + " " + --sl);
        System.out.println(sd++ + " " + (sd %= 2));
        System.out.println(calls);
        int x, y, z;
        x = y = z = ia[0] = 42;
        System.out.println(x + y + z + ia[0]);
        long p = la[0] = m.fl = sl = 77;
        System.out.println(p + la[0] + m.fl + sl);
        int i = 0;
        ia[i] = i = 2;
        System.out.println(ia[0] + " " + ia[2] + " " + i);
        i = 1;
        i += i++ * 2 + i;
        System.out.println(i);
        byte b = 10;
        b += 300;
        System.out.println(b);
        b *= 1.5;
        System.out.println(b);
        char c = 'a';
        c += 1;
        System.out.println(c);
        boolean t = true;
        t &= false;
        t |= true;
        t ^= true;
        System.out.println(t);
    }
}
