/** Primes up to four million, three times. */
public class Sieve {
    public static void main(String[] args) {
        int count = 0;
        for (int round = 0; round < 3; round++) {
            boolean[] composite = new boolean[4_000_001];
            for (int i = 2; i * i < composite.length; i++) {
                if (!composite[i]) {
                    for (int j = i * i; j < composite.length; j += i) {
                        composite[j] = true;
                    }
                }
            }
            for (int i = 2; i < composite.length; i++) {
                if (!composite[i]) {
                    count++;
                }
            }
        }
        System.out.println(count);
    }
}
