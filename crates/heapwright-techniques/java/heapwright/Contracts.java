package heapwright;

/**
 * Contracts of {@code Object} and {@code Comparable} for {@code equals}, {@code hashCode}, {@code toString} and
 * {@code compareTo}: each method returns whether an object, or a pair of objects, satisfies its contract.
 */
final class Contracts {
    private Contracts() {}

    static boolean reflexive(Object object, Object same) {
        return object.equals(same);
    }

    static boolean unequalToNull(Object object, Object nothing) {
        return !object.equals(nothing);
    }

    static boolean symmetric(Object object, Object other) {
        return other == null || object.equals(other) == other.equals(object);
    }

    static boolean sameHashCode(Object object, Object other) {
        return other == null || !areEqual(object, other) || object.hashCode() == other.hashCode();
    }

    /** Exceptions of {@code equals} are checked elsewhere. */
    private static boolean areEqual(Object object, Object other) {
        try {
            return object.equals(other);
        } catch (RuntimeException thrown) {
            return false;
        }
    }

    static boolean steadyHashCode(Object object) {
        return object.hashCode() == object.hashCode();
    }

    static boolean namedByString(Object object) {
        return object.toString() != null;
    }

    static boolean orderedAsItself(Object object, Object same) {
        return compare(object, same) == 0;
    }

    static boolean antisymmetric(Object object, Object other) {
        return other == null || sign(compare(object, other)) == -sign(compare(other, object));
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object object, Object other) {
        return ((Comparable<Object>) object).compareTo(other);
    }

    private static int sign(int order) {
        return order > 0 ? 1 : order < 0 ? -1 : 0;
    }
}
