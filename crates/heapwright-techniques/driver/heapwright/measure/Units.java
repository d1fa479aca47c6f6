package heapwright.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The units of a test class: what its framework can run alone, which is a method with all its rows, or a test of another engine.
 * A framework has a prefix for the names of its units.
 */
final class Units {
    /** Annotations of classes whose tests have an order on which they may rely. */
    private static final Set<String> ORDERS = Set.of(
            "org.junit.jupiter.api.TestMethodOrder", "org.junit.FixMethodOrder", "spock.lang.Stepwise");

    /** All units. */
    static final Units ALL = new Units(List.of(), false);

    private final List<String> names;
    private final boolean areWanted;

    private Units(List<String> names, boolean areWanted) {
        this.names = names;
        this.areWanted = areWanted;
    }

    /** The units that these say: {@code +NAME} for each that alone is wanted, or {@code -NAME} for each that is left out. */
    static Units of(List<String> selection) {
        List<String> names = new ArrayList<>();
        for (String selected : selection) {
            names.add(selected.substring(1));
        }
        return names.isEmpty() ? ALL : new Units(names, selection.get(0).startsWith("+"));
    }

    boolean areAll() {
        return names.isEmpty();
    }

    /** Whether a framework has anything to run. */
    boolean concern(String prefix) {
        if (!areWanted) {
            return true;
        }
        for (String name : names) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Whether units are named that are wanted, rather than such as are not. */
    boolean areWanted() {
        return areWanted;
    }

    /** The named ones of a framework, without its prefix. */
    List<String> of(String prefix) {
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith(prefix)) {
                found.add(name.substring(prefix.length()));
            }
        }
        return found;
    }

    /** Whether the tests of a class, or of one nested in it, have an order on which they may rely. */
    static boolean areOrdered(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (var annotation : above.getAnnotations()) {
                if (ORDERS.contains(annotation.annotationType().getName())) {
                    return true;
                }
            }
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            if (areOrdered(nested)) {
                return true;
            }
        }
        return false;
    }
}
