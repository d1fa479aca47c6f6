package library.randoms;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random with a seed gives the documented sequence. */
public class Main {
    public static void main(String[] args) {
        Random r = new Random(42);
        for (int i = 0; i < 5; i++) {
            System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextBoolean());
        }
        System.out.println(r.nextDouble() + " " + r.nextFloat());
        byte[] bytes = new byte[7];
        r.nextBytes(bytes);
        System.out.println(java.util.Arrays.toString(bytes));
        r.setSeed(7);
        System.out.println(r.nextInt(10) + " " + new Random(7).nextInt(10));
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 12; i++) l.add(i);
        Collections.shuffle(l, new Random(1));
        System.out.println(l);
        System.out.println(new Random(0).ints(5, 0, 50).boxed().toList());
        Random g = new Random(99);
        double sum = 0;
        for (int i = 0; i < 100; i++) sum += g.nextGaussian();
        System.out.println(Math.abs(sum) < 40);
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Random(-1L).nextLong() + " " + new Random(Long.MAX_VALUE).nextInt(1 << 30) + " " + new Random(5).nextInt(1000000007));
    }
}
