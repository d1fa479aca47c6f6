package opcodes.fieldforms;

/** Every kind of field, instance and static, written and read back at its limits. */
public final class Main {
    static class Holder {
        boolean z;
        byte b;
        short h;
        char c;
        int i;
        long j;
        float f;
        double d;
        Object o;
        static boolean sz;
        static byte sb;
        static short sh;
        static char sc;
        static int si;
        static long sj;
        static float sf;
        static double sd;
        static Object so;
    }

    static class Sub extends Holder {
        byte b = 9;
        long j = 99;
    }

    public static void main(String[] args) {
        Holder h = new Holder();
        System.out.println(h.z + " " + h.b + " " + h.h + " " + (int) h.c + " " + h.i + " " + h.j + " " + Float.floatToIntBits(h.f) + " " + h.d + " " + h.o);
        for (int x : new int[] {0, 1, -1, 127, 128, 255, 32767, 32768, 65535, 65536, Integer.MIN_VALUE}) {
            h.z = x != 0;
            h.b = (byte) x;
            h.h = (short) x;
            h.c = (char) x;
            h.i = x;
            h.j = (long) x << 20;
            h.f = x;
            h.d = x;
            h.o = x;
            System.out.println(h.z + " " + h.b + " " + h.h + " " + (int) h.c + " " + h.i + " " + h.j + " " + Float.floatToIntBits(h.f) + " " + h.d + " " + h.o);
            Holder.sz = !h.z;
            Holder.sb = (byte) (x >> 1);
            Holder.sh = (short) (x >> 1);
            Holder.sc = (char) (x >> 1);
            Holder.si = ~x;
            Holder.sj = ~(long) x;
            Holder.sf = -h.f;
            Holder.sd = h.d / 3;
            Holder.so = h;
            System.out.println(Holder.sz + " " + Holder.sb + " " + Holder.sh + " " + (int) Holder.sc + " " + Holder.si + " " + Holder.sj + " " + Float.floatToIntBits(Holder.sf) + " " + Holder.sd + " " + (Holder.so == h));
        }
        Sub s = new Sub();
        s.b += 120;
        ((Holder) s).b -= 1;
        s.j <<= 40;
        ((Holder) s).j--;
        System.out.println(s.b + " " + ((Holder) s).b + " " + s.j + " " + ((Holder) s).j);
    }
}
