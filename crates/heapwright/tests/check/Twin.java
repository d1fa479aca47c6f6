package probe;

/** A Box that keeps what it is given, too, and says how it refuses. */
public class Twin {
    int count;

    Twin(Box box) {
        count = box.take();
    }

    public int put(int value) {
        throw new IllegalStateException("full");
    }

    public int take() {
        return count;
    }
}
