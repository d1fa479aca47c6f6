package library.chances;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random numbers of fixed seeds. */
public class Main {
    public static void main(String[] args) {
        Random random = new Random(42);
        System.out.println(random.nextInt() + " " + random.nextInt(10) + " " + random.nextLong() + " "
                + random.nextBoolean() + " " + random.nextDouble() + " " + random.nextFloat() + " "
                + random.nextGaussian());
        byte[] bytes = new byte[5];
        random.nextBytes(bytes);
        System.out.println(Arrays.toString(bytes));
        System.out.println(random.ints(4, 0, 100).boxed().toList() + " "
                + random.doubles(2).boxed().toList() + " " + random.longs(1, 5, 7).sum());
        random.setSeed(1);
        System.out.println(random.nextInt(5, 9) + " " + random.nextLong(1L << 40));
        SplittableRandom split = new SplittableRandom(7);
        System.out.println(split.nextInt() + " " + split.split().nextLong() + " " + split.nextInt(3, 5));
        System.out.println(RandomGeneratorFactory.of("L64X128MixRandom").create(5).nextLong());
        System.out.println(RandomGenerator.of("Xoshiro256PlusPlus").isDeprecated());
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
        Collections.shuffle(list, new Random(3));
        System.out.println(list);
        try {
            random.nextInt(0);
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
