package control.lookupswitch;

/** Sparse switches, nested switches and switches on boxed values. */
public class Main {
    static int sparse(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case -1000000: return 2;
            case 0: return 3;
            case 17: return 4;
            case 65536: return 5;
            case Integer.MAX_VALUE: return 6;
            default: return -1;
        }
    }

    static String nested(int a, int b) {
        switch (a) {
            case 10:
                switch (b) {
                    case 100: return "10/100";
                    case 20000: break;
                    default: return "10/?";
                }
                return "10/20000";
            case 3000:
                return "3000";
        }
        return "none";
    }

    static int loop() {
        int n = 0;
        for (int i = 0; ; i++) {
            switch (i * i) {
                case 0: continue;
                case 81: n += 1000; break;
                case 400: return n;
                default: n++;
            }
            n += 10;
        }
    }

    public static void main(String[] args) {
        int[] keys = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1000000, -1, 0, 1, 16, 17, 18, 65536, Integer.MAX_VALUE};
        for (int k : keys) {
            System.out.println(k + " -> " + sparse(k));
        }
        System.out.println(nested(10, 100) + nested(10, 20000) + nested(10, 1) + nested(3000, 1) + nested(1, 1));
        System.out.println(loop());
        Integer boxed = 100000;
        switch (boxed) {
            case 100000 -> System.out.println("boxed");
            default -> System.out.println("missed");
        }
        Character ch = '\u20ac';
        System.out.println(switch (ch) { case '\u20ac' -> "euro"; case '$' -> "dollar"; default -> "?"; });
        Integer none = null;
        try {
            switch (none) {
                case 1 -> System.out.println("one");
                default -> System.out.println("default");
            }
        } catch (NullPointerException e) {
            System.out.println("null switched");
        }
    }
}
