package probe;

/** Methods to choose from. */
public class Box {
    private int value;

    public void put(int value) {
        this.value = value;
    }

    public void put(String text, Box other, int[] numbers, Runtime runtime) {
        value = text.length() + other.value;
    }

    public int take() {
        return value;
    }

    public void takeAll(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k,
            long l, long m, long n, long o, long p, long q, long r, long s, long t, long u) {
    }

    static boolean takeAll(Box before, Box after) {
        return true;
    }

    public boolean repOK() {
        return value >= 0;
    }
}
