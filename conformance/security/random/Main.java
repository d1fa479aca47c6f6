package security.random;

import java.security.SecureRandom;
import java.util.*;

public class Main {
    private static final UUID FIELD = UUID.randomUUID();

    public static void main(String[] args) throws Exception {
        System.out.println(FIELD.version() + " " + FIELD.variant() + " " + FIELD.toString().length());
        System.out.println(UUID.nameUUIDFromBytes("name".getBytes()));
        UUID fixed = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        System.out.println(fixed.version() + " " + fixed.getMostSignificantBits() + " " + fixed.equals(FIELD));
        SecureRandom random = new SecureRandom();
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            int number = random.nextInt(10);
            if (number < 0 || number >= 10) {
                System.out.println("out of range");
            }
            seen.add(number);
        }
        System.out.println(seen.size() > 5);
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        System.out.println(Arrays.equals(bytes, new byte[16]));
        SecureRandom seeded = SecureRandom.getInstance("SHA1PRNG");
        seeded.setSeed(7);
        System.out.println(seeded.nextInt() + " " + seeded.nextLong());
        System.out.println(random.generateSeed(4).length + " " + seeded.getAlgorithm());
        Set<UUID> all = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            all.add(UUID.randomUUID());
        }
        System.out.println(all.size());
    }
}
