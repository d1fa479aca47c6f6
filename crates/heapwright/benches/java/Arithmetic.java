/** Integer and long arithmetic in a loop. */
public class Arithmetic {
    public static void main(String[] args) {
        int a = 1;
        long b = 1;
        for (int i = 1; i < 40_000_000; i++) {
            a = a * 31 + (i ^ a >>> 7);
            b += a & 0xFF;
        }
        System.out.println(a + " " + b);
    }
}
