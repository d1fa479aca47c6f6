package shelf;

/** Has a field that its subclass hides. */
class Base {
    protected Object next;
    private char letter;

    char letter() {
        return letter;
    }

    Object baseNext() {
        return next;
    }
}
