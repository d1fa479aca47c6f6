package heapwright;

/** Gives back what it is given, once it is known what that is. */
final class Itself {
    private Itself() {}

    static Object of(Object object) {
        object.getClass();
        return object;
    }
}
