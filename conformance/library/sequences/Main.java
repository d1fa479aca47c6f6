package library.sequences;

import java.util.BitSet;
import java.util.Properties;
import java.util.Random;
import java.util.SplittableRandom;

/** Seeded random sequences, bit sets, properties. */
public final class Main {
    public static void main(String[] args) throws Exception {
        Random r = new Random(12345);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextInt(5, 10));
        byte[] b = new byte[7];
        r.nextBytes(b);
        System.out.println(java.util.Arrays.toString(b) + " " + r.ints(5, 0, 10).boxed().toList() + " " + r.doubles(2).sum());
        SplittableRandom s = new SplittableRandom(7);
        System.out.println(s.nextInt() + " " + s.nextInt(50) + " " + s.split().nextLong());
        BitSet x = new BitSet();
        x.set(1, 70);
        x.clear(5, 10);
        x.flip(64, 75);
        BitSet y = BitSet.valueOf(new long[] {0xff00ffL, 1L});
        System.out.println(x + " " + x.cardinality() + " " + x.length() + " " + x.nextClearBit(1) + " " + x.previousSetBit(60) + " " + y + " " + x.intersects(y));
        x.andNot(y);
        y.xor(x);
        y.and(x);
        System.out.println(y.cardinality() + " " + x.hashCode() + " " + x.get(3, 30) + " " + java.util.Arrays.toString(x.toLongArray()) + " " + x.stream().sum());
        Properties p = new Properties();
        p.load(new java.io.StringReader("# note\nname = value\nother:thing\\\n   continued\nk\\ ey=\\u0041\\t!\nempty\n"));
        System.out.println(new java.util.TreeMap<>(p) + " " + p.getProperty("none", "default") + " " + p.getProperty("k ey").length());
        Properties child = new Properties(p);
        child.setProperty("own", "1");
        System.out.println(new java.util.TreeSet<>(child.stringPropertyNames()) + " " + child.getProperty("name") + " " + child.get("name"));
    }
}
