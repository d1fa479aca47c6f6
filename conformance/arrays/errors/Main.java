package arrays.errors;

/** Bounds, negative sizes, store checks and null arrays, with their messages and order. */
public class Main {
    interface Action {
        Object run();
    }

    static void attempt(String name, Action a) {
        try {
            System.out.println(name + " = " + a.run());
        } catch (RuntimeException e) {
            System.out.println(name + ": " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    static int boom() {
        throw new IllegalStateException("right side first");
    }

    static int negative = -1;

    public static void main(String[] args) {
        int[] ints = new int[3];
        long[] longs = new long[2];
        byte[] bytes = {};
        boolean[] booleans = {true};
        Object[] strings = new String[2];
        Object[] lists = new Number[2][2];
        attempt("read", () -> ints[3]);
        attempt("read negative", () -> ints[negative]);
        attempt("read min", () -> ints[Integer.MIN_VALUE]);
        attempt("write", () -> ints[4] = 1);
        attempt("long", () -> longs[2]);
        attempt("long write", () -> longs[-5] = 5);
        attempt("empty", () -> bytes[0]);
        attempt("boolean", () -> booleans[1] = false);
        attempt("object", () -> strings[2]);
        attempt("store", () -> strings[0] = 5);
        attempt("store null", () -> strings[0] = null);
        attempt("store fine", () -> strings[1] = "s");
        attempt("store array", () -> ((Object[]) (lists[0] = new Integer[1])).length);
        attempt("store wrong array", () -> lists[0] = new String[1]);
        attempt("store primitive array", () -> lists[0] = new int[1]);
        attempt("store out of bounds", () -> strings[7] = new Object());
        attempt("size", () -> new int[negative]);
        attempt("size of objects", () -> new Object[negative * 7]);
        attempt("order", () -> ints[10] = boom());
        attempt("order compound", () -> ints[10] += boom());
        attempt("clone", () -> ints.clone().length);
        attempt("cast", () -> (String[]) new Object[0]);
        attempt("cast fine", () -> ((Object[]) new String[4]).length);
        attempt("cast primitive", () -> (int[]) (Object) new long[0]);
        attempt("cast nested", () -> ((Object[]) new int[2][3]).length);
        System.out.println(ints[0] + ints[1] + ints[2]);
    }
}
