package lambdas.capturing;

/** Lambdas with and without captures of every type, of this, nested, and their identity. */
public class Main {
    interface IntOp { int apply(int x); }
    interface LongDouble { double apply(long a, double b); }
    interface Producer { Object make(); }

    int field = 10;
    static int statics = 100;

    IntOp adder(int n) {
        return x -> x + n + field;
    }

    Producer nested(String s) {
        return () -> {
            int local = s.length();
            Producer inner = () -> s + local + field;
            return inner.make();
        };
    }

    static Producer everything(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, int[] a) {
        return () -> "" + z + b + c + s + i + l + f + d + o + a[0]++;
    }

    static IntOp compose(IntOp... ops) {
        return x -> {
            for (IntOp op : ops) x = op.apply(x);
            return x;
        };
    }

    static Producer plain() {
        return () -> "plain";
    }

    static final IntOp[] fact = new IntOp[1];

    public static void main(String[] args) {
        Main m = new Main();
        IntOp add = m.adder(5);
        System.out.println(add.apply(1));
        m.field = 20;
        System.out.println(add.apply(1));
        System.out.println(m.nested("four").make());
        int[] array = {7};
        Producer all = everything(true, (byte) -3, 'q', (short) 300, -1, 1L << 40, 0.5f, 2.5, "obj", array);
        System.out.println(all.make());
        System.out.println(all.make() + " " + array[0]);
        System.out.println(compose(x -> x + 1, x -> x * 10, m.adder(0), x -> statics++ + x).apply(3));
        LongDouble wide = (a, b) -> a * b + statics;
        System.out.println(wide.apply(1L << 33, 0.25));
        fact[0] = n -> n <= 1 ? 1 : n * fact[0].apply(n - 1);
        System.out.println(fact[0].apply(10));
        System.out.println((plain() == plain()) + " " + plain().make());
        Producer[] made = new Producer[3];
        for (int i = 0; i < made.length; i++) {
            int copy = i;
            made[i] = () -> copy * copy;
        }
        for (Producer p : made) {
            System.out.print(p.make() + " ");
        }
        System.out.println();
        Runnable r = () -> {
            throw new IllegalStateException("in lambda");
        };
        try {
            r.run();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getMethodName().startsWith("lambda$main$"));
        }
        System.out.println((r instanceof Runnable) + " " + r.equals(r) + " " + (r.hashCode() == r.hashCode())
                + " " + ((Object) r.getClass() == Main.class) + " " + r.getClass().isInterface());
        Object o = (Runnable & java.io.Serializable) () -> System.out.println("intersection");
        ((Runnable) o).run();
        System.out.println(o instanceof java.io.Serializable);
    }
}
