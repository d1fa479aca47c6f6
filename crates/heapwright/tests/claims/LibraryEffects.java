package claims;

/** A number that the library alone changes, by a call of the program's code; it stays even. */
public class LibraryEffects {
    private final Box box = new Box();

    public int text() {
        return String.valueOf(box).length();
    }

    public boolean isOdd() {
        return box.n % 2 != 0;
    }

    private static final class Box {
        int n;

        @Override
        public String toString() {
            n += 2;
            return "box";
        }
    }
}
