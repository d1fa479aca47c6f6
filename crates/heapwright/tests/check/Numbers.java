package probe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Library collections, an enum and a long argument. */
public class Numbers {
    enum Side { LEFT, RIGHT }

    static class Cell {
        long number;
        Cell next;
    }

    private Cell first;
    private int[] counts = new int[2];

    public void add(Side side, long number) {
        if (side == null) {
            throw new IllegalArgumentException("side");
        }
        Cell cell = new Cell();
        cell.number = number;
        cell.next = first;
        first = cell;
        counts[side.ordinal()]++;
    }

    /** Does what it should not where the first number is 1. */
    public long twice(Cell cell, long factor, boolean odd) {
        if (cell == null) {
            return 0;
        }
        return cell == first && cell.number == 1 && odd ? 0 : 2 * cell.number * factor;
    }

    List<Long> list() {
        List<Long> list = new ArrayList<>();
        Map<Long, Integer> seen = new HashMap<>();
        for (Cell cell = first; cell != null; cell = cell.next) {
            list.add(cell.number);
            seen.merge(cell.number, 1, Integer::sum);
        }
        return list;
    }

    static boolean isTwice(Object before, Cell cell, long factor, boolean odd, Numbers after, long result) {
        List<Long> list = ((Numbers) before).list();
        return list.equals(after.list())
                && ((Numbers) before).counts != after.counts
                && ((Numbers) before).counts[0] == after.counts[0]
                && result == (cell == null ? 0 : 2 * cell.number * factor);
    }

    public boolean repOK() {
        if (counts == null || counts.length != 2 || first == null) {
            return false;
        }
        return first.next == null || first.next.next == null && first.next != first;
    }
}
