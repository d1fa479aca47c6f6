package judge;

import java.util.BitSet;
import java.util.function.Consumer;

/** What the twin of a class under test tells: the lines that it comes by. */
public final class H {
    /** Lines since the last {@link #start}. */
    static final BitSet LINES = new BitSet();

    /** What unknown code does with an object. */
    static Consumer<Object> callback = object -> {};

    private static int depth;
    private static final int MOST_STEPS = 1_500;
    private static int steps;

    private H() {}

    static void start() {
        LINES.clear();
        steps = 0;
    }

    /** Unknown code, with an object that it is given. */
    public static int callback(Object object) {
        if (depth < 3) {
            depth++;
            try {
                callback.accept(object);
            } finally {
                depth--;
            }
        }
        return steps % 3;
    }

    /** Notes a line. */
    public static void l(int line) {
        LINES.set(line);
        if (++steps > MOST_STEPS) {
            steps = 0;
            throw new Endless();
        }
    }

    /** Ends a run that takes too long. */
    static final class Endless extends ThreadDeath {}
}
