package heapwright;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the collections that methods are called with. */
final class Holders {
    private Holders() {}

    static List<Object> list(Object[] elements) {
        return new ArrayList<>(Arrays.asList(elements));
    }

    static Set<Object> set(Object[] elements) {
        return new LinkedHashSet<>(Arrays.asList(elements));
    }

    /** Makes a map of keys, each followed by its value. */
    static Map<Object, Object> map(Object[] entries) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }
}
