package arithmetic.literals;

/** Constants of every kind of loading instruction, from iconst to ldc2_w. */
public class Main {
    static final int FOLDED = 3 * 7 + (1 << 4);
    static final String TEXT = "folded " + FOLDED + ' ' + 2.5f + true + null;

    static void show(Object o) {
        System.out.println(o.getClass().getName() + " " + o);
    }

    public static void main(String[] args) {
        int m1 = -1, z = 0, five = 5, six = 6, b = 127, nb = -128, s = 128, ns = -32768, ss = 32767, ldc = 32768;
        System.out.println(m1 + z + five + six + b + nb + s + ns + ss + ldc);
        System.out.println(m1 + " " + z + " " + five + " " + six + " " + b + " " + nb + " " + s + " " + ns + " " + ss
                + " " + ldc);
        show(0x7fff_ffff);
        show(0x8000_0000);
        show(0b1010_1010);
        show(0777);
        show(0L);
        show(1L);
        show(0xffff_ffff_ffffL);
        show(0f);
        show(1f);
        show(2f);
        show(3f);
        show(0.0);
        show(1.0);
        show(2.0);
        show(0x1.8p3);
        show(1e-5);
        show('a');
        show('\u00e9' + 0);
        show('\'');
        show((byte) 200);
        show((short) 70000);
        show(true);
        show("tab\tquote\"backslash\\");
        System.out.println(TEXT);
        System.out.println(Integer.MAX_VALUE + 1 + " " + Long.MIN_VALUE + " " + (Character.MAX_VALUE + 0));
        System.out.println(Double.MAX_VALUE + " " + Float.MAX_VALUE + " " + Byte.MIN_VALUE);
    }
}
