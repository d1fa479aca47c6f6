package time.spinning;

import java.util.concurrent.TimeUnit;

/** Waiting by looking at the clock comes to an end. */
public class Main {
    public static void main(String[] args) throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < 3_000_000) {
            Thread.onSpinWait();
        }
        System.out.println("nanoseconds passed");
        long millis = System.currentTimeMillis();
        while (System.currentTimeMillis() < millis + 3) {
            Thread.yield();
        }
        System.out.println("milliseconds passed");
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
        int looks = 0;
        while (System.nanoTime() - deadline < 0) {
            looks++;
        }
        System.out.println(looks > 0);
        long before = System.nanoTime();
        Thread.sleep(5);
        System.out.println(System.nanoTime() - before >= 5_000_000);
        java.time.Instant first = java.time.Instant.now();
        java.time.Instant second = java.time.Instant.now();
        System.out.println(!second.isBefore(first));
    }
}
