package heapwright.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;

/** Plays back the inputs in the file that the property `inputs` names: a line each, type and value. */
public final class Inputs {
    private static final Iterator<String> LEFT = lines();

    private Inputs() {
    }

    private static Iterator<String> lines() {
        try {
            return Files.readAllLines(Path.of(System.getProperty("inputs"))).iterator();
        } catch (IOException e) {
            throw new AssertionError("the inputs cannot be read", e);
        }
    }

    private static String next(String type) {
        if (!LEFT.hasNext()) {
            throw stopped("no input is left, a value of " + type + " is asked for");
        }
        String[] words = LEFT.next().split(" ", 2);
        if (!words[0].equals(type)) {
            throw stopped("the next input is of type " + words[0] + ", one of " + type + " is asked for");
        }
        return words[1];
    }

    /** Ends the process, so that no code of the program can go on. */
    private static Error stopped(String reason) {
        System.err.println(reason);
        Runtime.getRuntime().halt(90);
        return new Error();
    }

    public static boolean nextBoolean(String name) {
        return Boolean.parseBoolean(next("boolean"));
    }

    public static byte nextByte(String name) {
        return Byte.parseByte(next("byte"));
    }

    public static char nextChar(String name) {
        return (char) Integer.parseInt(next("char"));
    }

    public static short nextShort(String name) {
        return Short.parseShort(next("short"));
    }

    public static int nextInt(String name) {
        return Integer.parseInt(next("int"));
    }

    public static long nextLong(String name) {
        return Long.parseLong(next("long"));
    }

    public static float nextFloat(String name) {
        return Float.parseFloat(next("float"));
    }

    public static double nextDouble(String name) {
        return Double.parseDouble(next("double"));
    }

    /** Reads the characters as numbers with commas between them. */
    public static String nextString(String name) {
        StringBuilder text = new StringBuilder();
        for (String unit : next("java.lang.String").split(",")) {
            if (!unit.isEmpty()) {
                text.append((char) Integer.parseInt(unit));
            }
        }
        return text.toString();
    }

    public static void assume(boolean condition) {
        if (!condition) {
            throw stopped("an assumption does not hold");
        }
    }

    public static boolean isOpen(long value) {
        return true;
    }

    public static boolean isOpen(double value) {
        return true;
    }
}
