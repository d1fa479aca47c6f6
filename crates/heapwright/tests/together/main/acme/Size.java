package acme;

/** A size that whoever starts the program may set. */
public class Size {
    public int doubled() {
        return 2 * Integer.getInteger("acme.size", 1);
    }

    public boolean isLarge(int size) {
        return size > 10;
    }
}
