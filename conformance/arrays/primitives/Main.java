package arrays.primitives;

/** Arrays of every element type: defaults, stores with truncation, lengths, initialisers. */
public class Main {
    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = new byte[3];
        char[] c = new char[3];
        short[] s = new short[3];
        int[] i = new int[3];
        long[] l = new long[3];
        float[] f = new float[3];
        double[] d = new double[3];
        Object[] o = new Object[3];
        System.out.println(z[0] + " " + b[0] + " " + (int) c[0] + " " + s[0] + " " + i[0] + " " + l[0] + " " + f[0]
                + " " + d[0] + " " + o[0]);
        int big = 0x12345;
        z[1] = big > 3;
        b[1] = (byte) (big + 0x80);
        c[1] = (char) (big * 31);
        s[1] = (short) (big * 7);
        i[1] = ~big;
        l[1] = (long) big << 40;
        f[1] = big / 3f;
        d[1] = big / 3d;
        o[1] = "object";
        System.out.println(z[1] + " " + b[1] + " " + (int) c[1] + " " + s[1] + " " + i[1] + " " + l[1] + " " + f[1]
                + " " + d[1] + " " + o[1]);
        System.out.println(z[2] + " " + b[2] + " " + s[2] + " " + l[2]);
        System.out.println(z.length + b.length + c.length + s.length + i.length + l.length + f.length + d.length);
        byte[] literal = {1, -1, (byte) 255, 'A'};
        int sum = 0;
        for (byte x : literal) sum += x;
        System.out.println(sum);
        char[] text = {'h', 'e', 'y'};
        System.out.println(text);
        System.out.println(String.valueOf(text) + text.length);
        System.out.println(new int[0].length + " " + new String[0].length);
        System.out.println(z.getClass().getName() + b.getClass().getName() + c.getClass().getName()
                + s.getClass().getName() + i.getClass().getName() + l.getClass().getName() + f.getClass().getName()
                + d.getClass().getName() + o.getClass().getName());
        System.out.println(i.getClass().getSimpleName() + " " + new String[1][2].getClass().getSimpleName());
        System.out.println(i.getClass() == int[].class);
        System.out.println(i.getClass().getComponentType() + " " + o.getClass().getSuperclass());
        System.out.println(i.equals(new int[3]) + " " + i.equals(i));
        float[] floats = {1, 2L, 'c', 0x1p-3f};
        System.out.println(floats[0] + floats[1] + floats[2] + floats[3]);
    }
}
