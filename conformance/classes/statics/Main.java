package classes.statics;

import static java.lang.Math.max;

/** Static state: counters, nested holders, static imports, interface constants, singletons. */
public class Main {
    interface Constants {
        int SIZE = 4;
        String NAME = "constants";
        int[] TABLE = {1, 2, 3};
    }

    static class Counter implements Constants {
        private static int created;
        final int id = created++;

        static int created() {
            return created;
        }

        int size() {
            return SIZE * TABLE.length;
        }
    }

    static final class Singleton {
        private static Singleton instance;
        private int uses;

        static Singleton get() {
            if (instance == null) instance = new Singleton();
            instance.uses++;
            return instance;
        }
    }

    static long wide = 1L << 40;
    static double real = wide / 3.0;
    static byte tiny;
    static boolean flag = tiny == 0;
    static char letter = 'a';
    static float single = 0.1f;
    static short small = (short) 0xffff;
    static Object object = "object";
    static int[] array = new int[Constants.SIZE];

    static int recursive(int n) {
        array[n % array.length] += n;
        return n <= 0 ? array[0] : recursive(n - 1);
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    public static void main(String[] args) {
        System.out.println(new Counter().id + " " + new Counter().id + " " + Counter.created() + " " + new Counter().size());
        System.out.println((Singleton.get() == Singleton.get()) + " " + Singleton.get().uses);
        System.out.println(wide + " " + real + " " + tiny + " " + flag + " " + letter + " " + single + " " + small + " " + object);
        wide /= 7;
        real += wide;
        tiny -= 1;
        flag ^= true;
        letter++;
        single *= 3;
        small >>>= 1;
        object = object + "!";
        System.out.println(wide + " " + (long) real + " " + tiny + " " + flag + " " + letter + " " + (single > 0.3f) + " " + small + " " + object);
        System.out.println(recursive(10) + " " + array[1] + " " + array[2] + " " + array[3]);
        System.out.println(fib(20) + " " + ackermann(2, 9) + " " + max(3, 4));
        Constants.TABLE[0] = 50;
        System.out.println(Counter.TABLE[0] + Constants.NAME + Counter.NAME);
    }
}
