package arithmetic.widelocals;

/** More than 255 local slots, so that wide loads, stores and iinc are needed. */
public class Main {
    static long many(int seed) {
        long a0 = seed, a1 = a0 + 1, a2 = a1 + 1, a3 = a2 + 1, a4 = a3 + 1, a5 = a4 + 1, a6 = a5 + 1, a7 = a6 + 1;
        long b0 = a7 * 2, b1 = b0 + 1, b2 = b1 + 1, b3 = b2 + 1, b4 = b3 + 1, b5 = b4 + 1, b6 = b5 + 1, b7 = b6 + 1;
        double c0 = b7, c1 = c0 / 2, c2 = c1 / 2, c3 = c2 / 2, c4 = c3 / 2, c5 = c4 / 2, c6 = c5 / 2, c7 = c6 / 2;
        double d0 = c7, d1 = d0 + 1, d2 = d1 + 1, d3 = d2 + 1, d4 = d3 + 1, d5 = d4 + 1, d6 = d5 + 1, d7 = d6 + 1;
        long e0 = a0, e1 = a1, e2 = a2, e3 = a3, e4 = a4, e5 = a5, e6 = a6, e7 = a7;
        long f0 = b0, f1 = b1, f2 = b2, f3 = b3, f4 = b4, f5 = b5, f6 = b6, f7 = b7;
        double g0 = c0, g1 = c1, g2 = c2, g3 = c3, g4 = c4, g5 = c5, g6 = c6, g7 = c7;
        double h0 = d0, h1 = d1, h2 = d2, h3 = d3, h4 = d4, h5 = d5, h6 = d6, h7 = d7;
        long i0 = e0, i1 = e1, i2 = e2, i3 = e3, i4 = e4, i5 = e5, i6 = e6, i7 = e7;
        long j0 = f0, j1 = f1, j2 = f2, j3 = f3, j4 = f4, j5 = f5, j6 = f6, j7 = f7;
        double k0 = g0, k1 = g1, k2 = g2, k3 = g3, k4 = g4, k5 = g5, k6 = g6, k7 = g7;
        double l0 = h0, l1 = h1, l2 = h2, l3 = h3, l4 = h4, l5 = h5, l6 = h6, l7 = h7;
        long m0 = i0, m1 = i1, m2 = i2, m3 = i3, m4 = i4, m5 = i5, m6 = i6, m7 = i7;
        long n0 = j0, n1 = j1, n2 = j2, n3 = j3, n4 = j4, n5 = j5, n6 = j6, n7 = j7;
        double o0 = k0, o1 = k1, o2 = k2, o3 = k3, o4 = k4, o5 = k5, o6 = k6, o7 = k7;
        double p0 = l0, p1 = l1, p2 = l2, p3 = l3, p4 = l4, p5 = l5, p6 = l6, p7 = l7;
        int counter = seed;
        float single = 1.5f;
        String text = "t";
        Object other = null;
        counter++;
        counter += 1000;
        counter -= 40000;
        single *= counter;
        text += single;
        other = text;
        System.out.println(counter + " " + single + " " + text + " " + other);
        for (int q = 0; q < 3; q++) {
            counter += q;
            long inner = counter;
            m7 += inner;
        }
        System.out.println(m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7);
        System.out.println(n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7);
        System.out.println(o0 + o1 + o2 + o3 + o4 + o5 + o6 + o7);
        System.out.println(p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7);
        return counter + m7;
    }

    public static void main(String[] args) {
        System.out.println(many(10));
        System.out.println(many(-7));
    }
}
