package strings.objects;

/** Objects in concatenations: each is asked once, in order, and says what it says. */
public class Main {
    static class Speaker {
        private final String says;
        private int times;

        Speaker(String says) {
            this.says = says;
        }

        @Override
        public String toString() {
            times++;
            System.out.println("asked " + says);
            return says == null ? null : says + times;
        }
    }

    record Pair(Speaker first, long wide, Object second, double real, char letter) {
    }

    record Nothing() {
    }

    record Nested(Pair pair, Nothing nothing, int[] none, Integer box) {
    }

    enum Color {
        RED
    }

    public static void main(String[] arguments) {
        Speaker one = new Speaker("one");
        Speaker silent = new Speaker(null);
        Object none = null;
        long wide = 1L << 40;
        System.out.println("a" + one + wide + silent + 1.5 + none + 'c' + one + Color.RED + true);
        System.out.println(one + "" + one);
        Pair pair = new Pair(one, -1L, silent, 0.1, 'x');
        System.out.println("pair " + pair);
        System.out.println(new Nested(pair, new Nothing(), null, 7));
        System.out.println("" + new Nested(null, null, null, null) + new StringBuilder("built"));
        try {
            System.out.println("before " + one + new Object() {
                @Override
                public String toString() {
                    throw new IllegalStateException("says nothing");
                }
            });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
