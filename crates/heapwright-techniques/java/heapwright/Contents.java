package heapwright;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** Compares what two implementations come to. Reproducers carry the same text. */
final class Contents {
    private Contents() {}

    static boolean agree(Object left, Object right) {
        return Objects.equals(content(left), content(right));
    }

    // As in reproducers, from here on.
    /** What a value holds: arrays, and whatever has an order, as lists. */
    private static Object content(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        if (value instanceof Object[]) {
            return contents(Arrays.asList((Object[]) value).iterator());
        }
        if (value != null && value.getClass().isArray()) {
            return Arrays.deepToString(new Object[] {value});
        }
        if (value instanceof SortedMap || value instanceof LinkedHashMap) {
            return contents(((Map<?, ?>) value).entrySet().iterator());
        }
        if (value instanceof PriorityQueue<?>) {
            PriorityQueue<?> copy = new PriorityQueue<>((PriorityQueue<?>) value);
            List<Object> inOrder = new ArrayList<>();
            while (!copy.isEmpty()) {
                inOrder.add(content(copy.poll()));
            }
            return inOrder;
        }
        boolean isSorted = value instanceof SortedSet || value instanceof LinkedHashSet;
        if (value instanceof Iterable<?> && (isSorted || !(value instanceof Set))) {
            return contents(((Iterable<?>) value).iterator());
        }
        return value instanceof Iterator<?> ? contents((Iterator<?>) value) : value;
    }

    private static List<Object> contents(Iterator<?> values) {
        List<Object> contents = new ArrayList<>();
        while (values.hasNext()) {
            contents.add(content(values.next()));
        }
        return contents;
    }
}
