// A small class file with a little of everything, for tests that damage it.
import java.util.function.IntSupplier;

public class M0000 implements Runnable, Comparable<Object> {
    private static final String NAME = "name";
    private static final long BIG = 1L << 40;
    static int count = 3;
    private final double weight;
    private Object[] parts = new Object[4];
    private byte[] bytes = {1, 2, 3};

    M0000(double weight) {
        this.weight = weight * 1.5;
    }

    @Override
    public void run() {
        parts[count & 3] = bytes;
        count += bytes.length;
    }

    @Override
    public int compareTo(Object other) {
        return other instanceof M0000 ? (int) (((M0000) other).weight - weight) : -1;
    }

    static long mix(int number, long wide, float real) {
        switch (number) {
            case 1: return wide;
            case 2: return wide * 3;
            case 3: return (long) real;
            case 400: return number ^ wide;
            default: return wide >>> number;
        }
    }

    synchronized int guarded(int index) {
        try {
            return bytes[index];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().length();
        } finally {
            count--;
        }
    }

    public static void main(String[] args) {
        M0000 one = new M0000(2);
        Runnable runnable = one;
        runnable.run();
        IntSupplier supplier = () -> one.guarded(count);
        long sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += mix(i, BIG, i * 0.5f) + supplier.getAsInt() + one.compareTo(args);
        }
        int[][] grid = new int[2][3];
        grid[1][2] = (int) sum;
        synchronized (grid) {
            System.out.println(NAME + " " + sum + ' ' + grid[1][2] + count);
        }
    }
}
