package shelf;

import java.io.IOException;
import java.util.NoSuchElementException;

/** Keys and boxes: arrays and fields to share, overloads, nested classes of each kind. */
public class Depot {
    static int made;
    private static String motto = "none";

    Box<?>[] boxes;
    protected Object note;
    private Entry last;
    private int count;

    /** Nobody outside can name it. */
    private static final class Entry {
        final Object key;
        Entry before;

        Entry(Object key, Entry before) {
            this.key = key;
            this.before = before;
        }
    }

    /** Has its depot. */
    public class Door {
        private final int number;

        public Door(int number) {
            this.number = number;
        }

        public Depot depot() {
            return number < 0 ? null : Depot.this;
        }
    }

    private class Lock {
        private final int turns;

        private Lock(int turns) {
            this.turns = turns;
        }

        Depot opened() {
            return turns > 1 ? Depot.this : null;
        }
    }

    public static class Box<T> {
        public final T content;
        double weight = 0.5;

        public Box(T content) {
            this.content = content;
        }
    }

    /** Hides a field. */
    public static class Annex extends Depot {
        protected Object note;
    }

    public Depot() {
        made++;
    }

    public Depot(Box<?>[] boxes) {
        this.boxes = boxes;
    }

    public boolean isWhole() {
        int found = 0;
        for (Entry entry = last; entry != null; entry = entry.before) {
            found++;
        }
        return found == count;
    }

    public boolean put(Object key) {
        if (has(key)) {
            return false;
        }
        last = new Entry(key, last);
        count++;
        return true;
    }

    public boolean put(int key) {
        return put((Object) key);
    }

    /** Whether this very object is there. */
    public boolean has(Object key) {
        for (Entry entry = last; entry != null; entry = entry.before) {
            if (entry.key == key) {
                return true;
            }
        }
        return false;
    }

    public Object take(Object key) {
        if (last == null || !last.key.equals(key)) {
            throw new NoSuchElementException();
        }
        Object taken = last.key;
        last = last.before;
        count--;
        return taken;
    }

    public int size() {
        return count;
    }

    public Box<?> box(int index) throws IOException {
        if (boxes[index] == null) {
            throw new IOException();
        }
        return boxes[index];
    }

    /** Forgets to count. */
    public void clear() {
        last = null;
    }

    public String label(String text, int number) {
        return text + number;
    }

    public int[] upTo(int number) {
        int[] numbers = new int[number];
        for (int i = 0; i < number; i++) {
            numbers[i] = i;
        }
        return numbers;
    }

    public static int total(int... numbers) {
        int total = 0;
        for (int number : numbers) {
            total += number;
        }
        return total;
    }

    public void refuse(String reason) {
        throw new IllegalArgumentException("no " + reason, new IOException());
    }

    private Object keyOf(Entry entry) {
        return entry.key;
    }

    private Entry[] entries() {
        Entry[] entries = new Entry[count];
        int index = count;
        for (Entry entry = last; entry != null; entry = entry.before) {
            entries[--index] = entry;
        }
        return entries;
    }

    private static int filled(Entry[] entries) {
        int filled = 0;
        for (Entry entry : entries) {
            filled += entry == null ? 0 : 1;
        }
        return filled;
    }
}
