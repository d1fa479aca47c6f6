// A program that a seed makes: each step picks one of many things a program can do, on a graph of
// objects, statics and classes that all steps share. It is run forwards, back and forwards again.
package walk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Walk {
    private static final int MOST_LEVELS = 12;
    private static final int KINDS = 41;

    /** Does `steps` steps from `seed`; prints as it goes and returns a sum of all it saw. */
    public static int run(long seed, int steps) {
        Random random = new Random(seed);
        World world = new World();
        int sum = 0;
        for (int i = 0; i < steps; i++) {
            sum = 31 * sum + new Step(random, world, 0).take();
        }
        System.out.println("end " + sum + " " + Statics.text());
        switch (random.below(6)) {
            case 0:
                throw new Oops("uncaught", sum);
            case 1:
                System.exit(sum & 127);
                return 0;
            case 2:
                return Walk.endless(world, 1);
            default:
                return sum + world.sum();
        }
    }

    // Ends in an error that nobody catches, many frames up.
    private static synchronized int endless(World world, int depth) {
        world.node.value ^= depth;
        return endless(world, depth + 1) + 1;
    }

    public static int twice(int x) {
        return C0.v + 2 * x;
    }

    public static int fails(String text) {
        throw new Oops(text, 1);
    }

    static final class Random {
        private long state;

        Random(long seed) {
            state = seed * 0x9E3779B97F4A7C15L + 0x1234567;
        }

        int next() {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return (int) (state >>> 20);
        }

        int below(int bound) {
            return (next() >>> 1) % bound;
        }
    }

    static class Node {
        Node left;
        Node right;
        int value;

        Node(int value) {
            this.value = value;
        }

        synchronized int locked(int depth) {
            if (depth == 0) {
                if (value % 5 == 0) {
                    throw new Oops("locked", value);
                }
                return value;
            }
            value++;
            return (right == null ? this : right).locked(depth - 1) + 1;
        }
    }

    static final class Oops extends RuntimeException {
        final int code;

        Oops(String message, int code) {
            super(message);
            this.code = code;
        }
    }

    static final class Fields {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        long j;
        float f;
        double d;
        String text;
        Object any;

        int set(int value) {
            z = !z;
            b += (byte) value;
            c += (char) value;
            s -= (short) value;
            i ^= value;
            j = j * 31 + value;
            f = f / 3 + value;
            d = d / 7 - value;
            text = text == null ? "t" : text.length() > 20 ? "" : text + (char) ('a' + (value & 15));
            any = (value & 1) == 0 ? this : text;
            return sum();
        }

        int sum() {
            return (z ? 1 : 0) + b + c + s + i + (int) (j >>> 9) + (int) f + (int) d + text.hashCode();
        }
    }

    static final class Statics {
        static boolean z;
        static byte b = 3;
        static char c = 'c';
        static short s;
        static int i = 17;
        static long j = 1L << 40;
        static float f = 0.5f;
        static double d = 2.25;
        static String text = "statics";
        static Node node;

        static void set(int value) {
            z ^= true;
            b += value;
            c -= value;
            s += value;
            i *= value | 1;
            j += value;
            f += value;
            d *= 0.5;
            text = (value & 3) == 0 ? "statics" : text.length() > 30 ? "s" : text + value % 10;
            Node made = new Node(value);
            made.left = (value & 7) == 0 ? null : node;
            node = made;
        }

        static String text() {
            return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text;
        }
    }

    static final class World {
        java.io.File file;
        java.util.zip.Deflater deflater;
        java.nio.ByteBuffer direct;
        final Fields fields = new Fields();
        final HashMap<Object, Integer> map = new HashMap<>();
        final ArrayList<Object> list = new ArrayList<>();
        final TreeMap<String, Node> tree = new TreeMap<>();
        final ArrayDeque<Integer> queue = new ArrayDeque<>();
        final StringBuilder builder = new StringBuilder();
        final boolean[] booleans = new boolean[11];
        byte[] bytes = new byte[29];
        char[] chars = new char[13];
        final short[] shorts = new short[7];
        int[] ints = new int[19];
        long[] longs = new long[5];
        final float[] floats = new float[5];
        final double[] doubles = new double[4];
        Object[] objects = new Object[9];
        int[][] grid = new int[3][4];
        Node node = new Node(1);
        final AtomicInteger counter = new AtomicInteger();
        final AtomicReference<Node> current = new AtomicReference<>();
        final ConcurrentHashMap<String, Integer> shared = new ConcurrentHashMap<>();
        Supplier<Integer> supplier = () -> 7;

        int sum() {
            return map.size() + list.size() + Arrays.hashCode(bytes) + Arrays.hashCode(chars) + Arrays.hashCode(shorts)
                + Arrays.hashCode(ints) + Arrays.hashCode(longs) + Arrays.hashCode(floats)
                + Arrays.hashCode(doubles) + Arrays.hashCode(booleans) + Arrays.deepHashCode(grid)
                + builder.toString().hashCode() + fields.i;
        }
    }

    // Classes that are initialised when a step first uses them; some by way of another, two in a
    // circle, some never with success.
    static class C0 { static int v = note("C0", 1); }
    static class C1 { static int v = note("C1", C0.v); }
    static class C2 extends C1 { static int v = note("C2", 2); }
    static class C3 { static int v = note("C3", C4.v + 1); static int get() { return v; } }
    static class C4 { static int v = note("C4", C3.v + 1); static int get() { return v; } }
    static class C5 implements First, Second { static int v = note("C5", 5); }
    static class C6 implements Second, First { static int v = note("C6", 6); }
    static class C7 { static final int[] TABLE = new int[40]; static { for (int i = 0; i < 40; i++) TABLE[i] = i * note(null, i); } }
    static class C8 { static final String NAME = new String("c8").intern(); static int v = note(NAME, 8); }
    interface First { int F = note("First", 1); default int first() { return F; } }
    interface Second { int S = note("Second", 2); default int second() { return S + 1; } }
    interface Third { int T = note("Third", 3); }
    static class Bad0 { static int v = note("Bad0", 0) / Integer.parseInt("0"); }
    static class Bad1 { static int v = note("Bad1", Bad0.v); }
    static class Bad2 { static { if (note("Bad2", 1) > 0) throw new Oops("initializer", 2); } static int get() { return 1; } }
    static class Bad3 extends Bad2 { int field = 4; }
    enum Color { RED, GREEN { @Override int twist(int x) { return x + 100; } }, BLUE; int twist(int x) { return x + ordinal(); } }
    record Pair(int left, String right) { }

    static int note(String name, int value) {
        if (name != null) {
            System.out.print("<" + name + ">");
        }
        Statics.i += value;
        return value + 1;
    }

    interface Shape {
        default int area() { return 1 + scaled(2); }
        default int scaled(int by) { return by * sides(); }
        int sides();
    }

    static final class Square implements Shape { public int sides() { return 4; } }
    static final class Blob implements Shape { public int sides() { return 0; } @Override public int area() { return 9; } }

    static final class Step {
        private final Random random;
        private final World world;
        private final int level;

        Step(Random random, World world, int level) {
            this.random = random;
            this.world = world;
            this.level = level;
        }

        int take() {
            int kind = random.below(KINDS);
            int value = random.next();
            try {
                return act(kind, value);
            } catch (Oops oops) {
                System.out.print("!" + oops.getMessage() + oops.code);
                return oops.code;
            } catch (ArithmeticException | IndexOutOfBoundsException | NegativeArraySizeException
                | ClassCastException | ArrayStoreException | NullPointerException e) {
                return e.getClass().getName().hashCode();
            } catch (LinkageError e) {
                System.out.print("!" + e.getClass().getSimpleName());
                return 5;
            } catch (StackOverflowError e) {
                return 6;
            } finally {
                world.ints[0]++;
            }
        }

        private int act(int kind, int value) {
            switch (kind) {
                case 0: return world.fields.set(value);
                case 1: return arrays(value);
                case 2: Statics.set(value); return Statics.i;
                case 3: return classes(value);
                case 4: return intern(value);
                case 5: return identity(value);
                case 6: return locks(value);
                case 7: return thrower(1 + (value & 7));
                case 8: return below(1 + (value & 3));
                case 9: return deep(value & 127, value);
                case 10: return maps(value);
                case 11: return lists(value);
                case 12: return text(value);
                case 13: System.out.println("say " + value + ' ' + (char) ('A' + (value & 15))); return 1;
                case 14: return lambdas(value);
                case 15: return shapes(value);
                case 16: return copies(value);
                case 17: return failing(value);
                case 18: return byName(value);
                case 19: return overflow(0);
                case 20: return wrong(value);
                case 21: return graph(value);
                case 22: return colors(value);
                case 23: return records(value);
                case 24: return boxes(value);
                case 25: return tree(value);
                case 26: System.err.print("e" + (value & 7)); return 2;
                case 27: return finals(value);
                case 28: return hold(value);
                case 29: return grids(value);
                case 30: return iterate(value);
                case 31: return numbers(value);
                case 32: return below(1 + (value & 1)) + deep(value & 31, value);
                case 33: return traces(value);
                case 34: return streams(value);
                case 35: return atomics(value);
                case 36: return reflection(value);
                case 37: return files(value);
                case 38: return compress(value);
                case 39: return direct(value);
                default: return String.format("%d|%s|%x", value & 255, world.node.value, value).hashCode();
            }
        }

        private int files(int value) {
            try {
                if (world.file == null || (value & 15) == 0) {
                    world.file = java.io.File.createTempFile("walk", null);
                }
                try (java.io.RandomAccessFile file = new java.io.RandomAccessFile(world.file, "rw")) {
                    file.seek(value & 31);
                    file.write(value);
                    file.seek(0);
                    return file.readByte() + (int) file.length();
                }
            } catch (java.io.IOException failure) {
                return -1;
            }
        }

        private int compress(int value) {
            if (world.deflater == null) {
                world.deflater = new java.util.zip.Deflater();
            }
            if ((value & 7) == 0) {
                world.deflater.reset();
            }
            byte[] into = new byte[64];
            world.deflater.setInput(new byte[] {(byte) value, (byte) (value >> 1), 3});
            return world.deflater.deflate(into, 0, 64, java.util.zip.Deflater.SYNC_FLUSH) + world.deflater.getAdler();
        }

        private int direct(int value) {
            if (world.direct == null || (value & 31) == 0) {
                world.direct = java.nio.ByteBuffer.allocateDirect(24);
            }
            world.direct.putInt(value & 15, value);
            return (int) world.direct.getLong(8);
        }

        // More steps, on frames of their own.
        private int below(int count) {
            if (level >= MOST_LEVELS) {
                return level;
            }
            int sum = 0;
            for (int i = 0; i < count; i++) {
                sum += new Step(random, world, level + 1).take();
            }
            return sum;
        }

        private int deep(int depth, long mixed) {
            if (depth <= 0) {
                return (mixed & 3) == 0 ? below(1) : (int) mixed;
            }
            double half = depth / 2.0;
            int inner = deep(depth - 1 - (int) (mixed & 1), mixed * 3 + depth);
            world.longs[depth % 5] += inner;
            return inner + (int) half;
        }

        private int thrower(int levels) {
            if (levels == 0) {
                throw new Oops("deep", world.fields.i & 1023);
            }
            try {
                return thrower(levels - 1) + 1;
            } finally {
                world.shorts[levels % 7] += 1;
                if (levels % 3 == 0) {
                    below(1);
                }
            }
        }

        private int arrays(int value) {
            int at = value & 31;
            world.booleans[at % 11] ^= true;
            world.bytes[at % world.bytes.length] += (byte) value;
            world.chars[at % world.chars.length] ^= (char) value;
            world.shorts[at % 7] = (short) value;
            world.ints[at % world.ints.length] = value;
            world.longs[at % 5] = world.longs[(at + 1) % 5] + value;
            world.floats[at % 5] += value;
            world.doubles[at % 4] = value * 0.25;
            world.objects[at % 9] = (value & 64) == 0 ? world : world.node;
            return world.bytes[value & 31];
        }

        private int classes(int value) {
            switch ((value & 0xff) % 12) {
                case 0: return C0.v;
                case 1: return C1.v++;
                case 2: return C2.v + C1.v;
                case 3: return C3.get();
                case 4: return C4.get();
                case 5: return new C5().first();
                case 6: return new C6().second();
                case 7: return C7.TABLE[value >>> 8 & 31]++;
                case 8: return C8.v + (C8.NAME == "c8" ? 1 : 2);
                case 9: return Third.T;
                case 10: return new C5[2].length;
                default: return C2.v = value;
            }
        }

        private int intern(int value) {
            String made = new StringBuilder("w").append(value & 15).toString();
            String kept = made.intern();
            int same = kept == made ? 1 : 0;
            switch (value >>> 4 & 3) {
                case 0: return same + (kept == "w1" ? 2 : 0);
                case 1: return same + (kept == "w2" ? 2 : 4) + (kept == "w3" ? 8 : 0);
                default: return same + kept.length();
            }
        }

        private int identity(int value) {
            Object object = (value & 1) == 0 ? new Object() : (value & 2) == 0 ? world.node : world.objects;
            world.list.add(object);
            return System.identityHashCode(object) ^ object.hashCode() ^ Step.class.hashCode();
        }

        private int locks(int value) {
            synchronized (world) {
                synchronized (world.node) {
                    if (Thread.holdsLock(world.fields)) {
                        System.out.print("held");
                    }
                    if ((value & 3) == 0) {
                        below(1);
                    }
                    return world.node.locked(value >>> 3 & 7);
                }
            }
        }

        private int hold(int value) {
            synchronized (world.fields) {
                synchronized (Walk.class) {
                    return (value & 1) == 0 ? below(2) : thrower(2);
                }
            }
        }

        private int maps(int value) {
            Object key = (value & 1) == 0 ? (Object) ("k" + (value & 31)) : (Object) Integer.valueOf(value & 255);
            Integer old = world.map.put(key, value);
            if ((value & 12) == 0) {
                world.map.remove("k" + (value >>> 5 & 31));
            }
            world.map.merge("all", 1, Integer::sum);
            int sum = 0;
            for (Map.Entry<Object, Integer> entry : world.map.entrySet()) {
                sum = sum * 7 + entry.getKey().hashCode() + entry.getValue();
            }
            return old == null ? sum : old;
        }

        private int lists(int value) {
            world.list.add(value);
            world.queue.addFirst(value);
            if (world.queue.size() > 6) {
                world.queue.removeLast();
            }
            if (world.list.size() > 40) {
                world.list.clear();
            }
            Map<String, List<Integer>> groups = new LinkedHashMap<>();
            for (Integer each : world.queue) {
                groups.computeIfAbsent("g" + (each & 3), group -> new ArrayList<>()).add(each);
            }
            return groups.toString().hashCode();
        }

        private int text(int value) {
            world.builder.append(value & 63).append((value & 1) == 0).append(value * 0.5f).append('x');
            if (world.builder.length() > 60) {
                world.builder.setLength(5);
            }
            String text = world.builder + "|" + value + "\u00e4\u20ac";
            switch (text.substring(0, 1)) {
                case "1": return text.indexOf('x');
                case "2": return text.toUpperCase().hashCode();
                default: return String.join(",", "a", text).hashCode();
            }
        }

        private int lambdas(int value) {
            int captured = value & 15;
            long wide = value * 3L;
            IntBinaryOperator add = (a, b) -> a + b + captured + (int) wide;
            IntUnaryOperator twice = Step::doubled;
            Supplier<Integer> earlier = world.supplier;
            world.supplier = (value & 16) == 0 ? () -> captured : (value & 96) == 0 ? this::own : () -> 7;
            return add.applyAsInt(twice.applyAsInt(value), earlier.get()) + System.identityHashCode(add);
        }

        private static int doubled(int x) {
            return x << 1;
        }

        private int own() {
            return level * 10 + world.fields.i;
        }

        private int shapes(int value) {
            Shape shape = (value & 1) == 0 ? new Square() : new Blob();
            return shape.area() + ((Object) shape instanceof Square ? 1 : 0);
        }

        private int copies(int value) {
            int at = value & 3;
            System.arraycopy(world.bytes, at, world.bytes, at + 1 + (value >>> 2 & 3), 15);
            System.arraycopy(world.ints, 5, world.ints, at, 9);
            System.arraycopy(world.objects, 0, world.objects, 2, 5);
            if ((value & 64) == 0) {
                world.bytes = world.bytes.clone();
                world.chars = Arrays.copyOf(world.chars, world.chars.length);
                world.longs = world.longs.clone();
                world.objects = world.objects.clone();
            } else {
                Arrays.fill(world.chars, at, at + 5, (char) value);
                Arrays.sort(world.ints);
            }
            return Arrays.hashCode(world.bytes) + world.ints[2];
        }

        private int failing(int value) {
            switch (value & 3) {
                case 0: return Bad0.v;
                case 1: return Bad1.v;
                case 2: return Bad2.get();
                default: return new Bad3().field;
            }
        }

        private int byName(int value) {
            try {
                Class<?> found = Class.forName("walk.Walk$Lazy" + (value & 7));
                return found.getName().hashCode() + (found.isInterface() ? 1 : 0);
            } catch (ClassNotFoundException e) {
                return e.getMessage().length();
            }
        }

        private int overflow(int depth) {
            world.ints[1] = depth;
            return overflow(depth + 1) + 1;
        }

        private int wrong(int value) {
            Object object = world.list;
            switch (value & 7) {
                case 0: return value / (world.ints[0] - world.ints[0]);
                case 1: return world.bytes[value];
                case 2: return new int[-1 - (value & 3)].length;
                case 3: return ((String) object).length();
                case 4: ((Object[]) new String[1])[0] = object; return 0;
                case 5: return ((Node) null).value;
                case 6: return "abc".charAt(value & 15);
                default: throw new Oops("wrong", value & 15);
            }
        }

        private int graph(int value) {
            Node made = new Node(value);
            made.left = world.node;
            made.right = (value & 1) == 0 ? world.node.right : made;
            world.node.right = made;
            if ((value & 6) == 0) {
                world.node = made;
            }
            int sum = 0;
            Node at = world.node;
            for (int i = 0; i < 12 && at != null; i++) {
                sum = sum * 3 + at.value;
                at = (i & 1) == 0 ? at.left : at.right;
            }
            return sum;
        }

        private int colors(int value) {
            Color color = Color.values()[(value & 255) % 3];
            switch (color) {
                case RED: return color.twist(1);
                case GREEN: return color.twist(2) + Color.valueOf("BLUE").ordinal();
                default: return color.name().length() + color.hashCode();
            }
        }

        private int records(int value) {
            Pair pair = new Pair(value & 3, "p" + (value & 1));
            world.map.put(pair, value);
            return pair.hashCode() + pair.toString().length() + (pair.equals(new Pair(1, "p1")) ? 1 : 0);
        }

        private int boxes(int value) {
            Integer small = value & 127;
            Long wide = (long) value;
            Object[] all = {small, wide, (char) value, (byte) value, value * 0.5, (value & 1) == 0};
            int same = (Integer) all[0] == small ? 1 : 0;
            return same + Arrays.hashCode(all) + Long.toString(wide).length() + (int) Double.doubleToLongBits((Double) all[4]);
        }

        private int tree(int value) {
            String key = Integer.toHexString(value & 63);
            world.tree.computeIfAbsent(key, k -> new Node(k.length())).value++;
            if (world.tree.size() > 12) {
                world.tree.pollFirstEntry();
            }
            return world.tree.firstEntry().getValue().value + world.tree.headMap("8").size();
        }

        @SuppressWarnings("finally")
        private int finals(int value) {
            try {
                try {
                    return wrong(value);
                } finally {
                    below(1);
                }
            } catch (RuntimeException e) {
                return e.getStackTrace().length;
            } finally {
                if ((value & 24) == 0) {
                    return 3;
                }
            }
        }

        private int grids(int value) {
            if ((value & 7) == 0) {
                world.grid = new int[1 + (value >>> 3 & 3)][1 + (value >>> 5 & 3)];
            }
            int[] row = world.grid[(value >>> 7 & 15) % world.grid.length];
            row[0] += value;
            long[][][] cube = new long[2][3][];
            cube[1][2] = new long[] {value};
            return row[row.length - 1] + (int) cube[1][2][0];
        }

        private int iterate(int value) {
            int sum = 0;
            try {
                for (Iterator<Object> all = world.list.iterator(); all.hasNext();) {
                    Object each = all.next();
                    sum += each.hashCode();
                    if (sum % 11 == 0) {
                        world.list.add("more");
                    } else if (sum % 3 == 0) {
                        all.remove();
                    }
                }
            } catch (java.util.ConcurrentModificationException e) {
                sum += 1000;
            }
            return sum;
        }

        private int numbers(int value) {
            long product = Math.multiplyHigh(value, 0x123456789abcdefL) + Long.rotateLeft(value, 7);
            double root = Math.sqrt(Math.abs((double) value));
            try {
                return Integer.parseInt(Integer.toString(value & 0xfff, 7) + ((value & 7) == 0 ? "z" : ""), 7) + (int) product
                    + (int) root + Math.floorMod(value, 17);
            } catch (NumberFormatException e) {
                return e.getMessage().hashCode();
            }
        }

        private int traces(int value) {
            try {
                return deepThrow(value & 15);
            } catch (IllegalStateException e) {
                StackTraceElement top = e.getStackTrace()[0];
                return top.getMethodName().hashCode() + top.getLineNumber() + e.getCause().getMessage().length();
            }
        }

        private int streams(int value) {
            return world.queue.stream().map(each -> each ^ value).filter(each -> (each & 1) == 0).sorted()
                .reduce(1, (a, b) -> 31 * a + b);
        }

        private int atomics(int value) {
            world.counter.addAndGet(value);
            world.counter.compareAndSet(value, 5);
            world.shared.merge("s" + (value & 7), 1, Integer::sum);
            Node old = world.current.getAndSet(world.node);
            return world.counter.incrementAndGet() + world.shared.toString().hashCode() + (old == null ? 0 : old.value);
        }

        private int reflection(int value) {
            try {
                switch (value & 3) {
                    case 0:
                        java.lang.reflect.Field field = Fields.class.getDeclaredField("i");
                        field.setInt(world.fields, value);
                        return field.getInt(world.fields) + field.getName().length();
                    case 1:
                        return (Integer) Walk.class.getMethod("twice", int.class).invoke(null, value);
                    case 2:
                        return (Integer) Walk.class.getMethod("fails", String.class).invoke(null, "r" + (value & 63));
                    default:
                        return Pair.class.getDeclaredConstructor(int.class, String.class).newInstance(1, "x").hashCode();
                }
            } catch (java.lang.reflect.InvocationTargetException e) {
                return e.getCause().getMessage().hashCode();
            } catch (ReflectiveOperationException e) {
                return e.toString().hashCode();
            }
        }

        private static int deepThrow(int depth) {
            if (depth == 0) {
                throw new IllegalStateException(new Oops("cause", 1));
            }
            return deepThrow(depth - 1) + 1;
        }
    }

    static class Lazy0 { static { note("Lazy0", 0); } }
    static class Lazy1 extends Lazy0 { static { note("Lazy1", 0); } }
    interface Lazy2 { int X = note("Lazy2", 2); }
    static class Lazy3 { }
    static class Lazy4 implements First { static { note("Lazy4", C0.v); } }
}
