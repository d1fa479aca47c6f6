/** Inputs whose fields are of other kinds, by the class that they turn out to be of. */
public class Kinds {
    abstract static class Input {}

    static class First extends Input {
        boolean isSet;
        byte small;
    }

    static class Second extends Input {
        int number;
        double wide;
    }

    public static int of(Input input) {
        if (input instanceof First first) {
            return first.isSet ? 1 : first.small > 100 ? 2 : 3;
        }
        if (input instanceof Second second) {
            return second.number > 1000 ? 4 : second.wide > 0.5 ? 5 : 6;
        }
        return 0;
    }
}
