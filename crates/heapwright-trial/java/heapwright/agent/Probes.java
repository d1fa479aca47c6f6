package heapwright.agent;

import java.util.Arrays;

/**
 * What the probes in the code under test report: each sets a slot. The classes of this package are those of the virtual machine
 * itself, so that code of every class loader reaches them.
 */
public final class Probes {
    private static boolean[] slots = new boolean[0];
    /** For each switch its keys in ascending order, and the number of the target of each. */
    private static int[][] keys = new int[0][];
    private static int[][] targets = new int[0][];

    private Probes() {}

    static void prepare(int count, int[][] allKeys, int[][] allTargets) {
        slots = new boolean[count];
        keys = allKeys;
        targets = allTargets;
    }

    /** Control comes here. */
    public static void hit(int slot) {
        slots[slot] = true;
    }

    /** A jump decides between two ways, as do the following. */
    public static void eq(int one, int other, int slot) {
        slots[one == other ? slot + 1 : slot] = true;
    }

    public static void ne(int one, int other, int slot) {
        slots[one != other ? slot + 1 : slot] = true;
    }

    public static void lt(int one, int other, int slot) {
        slots[one < other ? slot + 1 : slot] = true;
    }

    public static void ge(int one, int other, int slot) {
        slots[one >= other ? slot + 1 : slot] = true;
    }

    public static void gt(int one, int other, int slot) {
        slots[one > other ? slot + 1 : slot] = true;
    }

    public static void le(int one, int other, int slot) {
        slots[one <= other ? slot + 1 : slot] = true;
    }

    public static void same(Object one, Object other, int slot) {
        slots[one == other ? slot + 1 : slot] = true;
    }

    public static void differ(Object one, Object other, int slot) {
        slots[one != other ? slot + 1 : slot] = true;
    }

    public static void isNull(Object one, int slot) {
        slots[one == null ? slot + 1 : slot] = true;
    }

    public static void isNotNull(Object one, int slot) {
        slots[one != null ? slot + 1 : slot] = true;
    }

    /** A switch decides by a key. */
    public static void choose(int key, int slot, int table) {
        int place = Arrays.binarySearch(keys[table], key);
        slots[place < 0 ? slot : slot + targets[table][place]] = true;
    }

    /** The slots that were set since the last call, as ranges {@code FIRST-LAST} or single ones, separated by commas. */
    public static String take() {
        StringBuilder text = new StringBuilder();
        int slot = 0;
        while (slot < slots.length) {
            if (!slots[slot]) {
                slot++;
                continue;
            }
            int first = slot;
            while (slot < slots.length && slots[slot]) {
                slots[slot++] = false;
            }
            text.append(text.length() == 0 ? "" : ",").append(first);
            if (slot - 1 > first) {
                text.append('-').append(slot - 1);
            }
        }
        return text.toString();
    }
}
