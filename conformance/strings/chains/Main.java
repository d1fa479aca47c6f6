package strings.chains;

/** Texts appended to a builder one by one, as code compiled without `invokedynamic` has them. */
public class Main {
    static int calls;

    static final class Loud {
        private final String name;

        Loud(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            calls++;
            return name + calls;
        }
    }

    static int next() {
        return ++calls;
    }

    static int fails() {
        throw new IllegalStateException("at " + calls);
    }

    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d) {
        return new StringBuilder().append("z=").append(z).append(", b=").append(b).append(c).append(s)
                .append(i).append('|').append(j).append(" ").append(f).append(d).append("!").toString();
    }

    static String nested(int i, long j) {
        return new StringBuilder().append(i).append("(")
                .append(new StringBuilder().append(j).append("/").append(i * j).toString())
                .append(")").append(j - i).toString();
    }

    static String objects(Object first, Object second) {
        return new StringBuilder().append(first).append("-").append(second).append("-").append(3).toString();
    }

    static String between(Object first) {
        return new StringBuilder().append(first).append(next()).append("-").append(first).toString();
    }

    static String choice(int i) {
        return new StringBuilder().append("it is ").append(i > 3 ? "large" : "small").append(i).toString();
    }

    static String nulls(String text, Object object, char[] cells, CharSequence rest) {
        return new StringBuilder().append(text).append(object).append(cells).append(rest).append(1).toString();
    }

    static String kept(int i) {
        StringBuilder builder = new StringBuilder().append("a").append(i);
        builder.append(i + 1).insert(0, "b");
        return builder.toString() + builder.length();
    }

    static String used(int i) {
        return new StringBuilder().append("abc").append(i).reverse().append(i).toString();
    }

    static String caught(int i) {
        try {
            return new StringBuilder().append(i).append(new Loud("x")).append(fails()).toString();
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    static String partly(int i) {
        String inner;
        StringBuilder outer = new StringBuilder();
        try {
            inner = new StringBuilder().append("(").append(10 / i).append(")").toString();
        } catch (ArithmeticException e) {
            inner = new StringBuilder().append(e.getMessage()).append(i).toString();
        }
        return outer.append(inner).toString();
    }

    public static void main(String[] arguments) {
        System.out.println(all(true, (byte) -3, 'x', (short) 300, -7, 1L << 40, 0.5f, -1e300));
        System.out.println(nested(6, 7_000_000_000L));
        System.out.println(objects(new Loud("a"), new Loud("b")));
        System.out.println(objects(null, "c"));
        System.out.println(between(new Loud("d")));
        System.out.println(choice(3) + choice(4));
        System.out.println(nulls(null, null, new char[] {'p', 'q'}, "rs"));
        System.out.println(kept(8));
        System.out.println(used(45));
        System.out.println(caught(1) + " " + calls);
        System.out.println(partly(0) + partly(4));
        try {
            java.util.BitSet bits = new java.util.BitSet();
            bits.set(-5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
