package odd;

/** Classes whose invariants are hard on whoever runs them. */
public final class Odd {
    private Odd() {}

    /** Its invariant never reads one of the fields. */
    public static class Unread {
        static class Node {
            Node next;
            Node spare;
        }

        Node first;

        public boolean repOK() {
            return first == null || first.next == null || first.next.next == null;
        }
    }

    /** Whose invariant goes round for as long as numbers allow. */
    public static class Endless {
        Endless next;
        int count;

        public boolean repOK() {
            int rounds = 0;
            while (rounds < count) {
                rounds++;
            }
            return next == null;
        }
    }

    /** Whose invariant calls itself until a number is reached. */
    public static class Deep {
        Deep next;
        int count;

        public boolean repOK() {
            return isLess(count);
        }

        private static boolean isLess(int count) {
            return count <= 0 || isLess(count - 2);
        }
    }

    /** Whose invariant throws where it should say no. */
    public static class Throwing {
        Throwing next;

        public boolean repOK() {
            return next.next == null;
        }
    }

    /** Whose invariant asks for what is hard to find. */
    public static class Hard {
        Hard next;
        long a;
        long b;

        public boolean repOK() {
            return next == null || a > 1 && b > 1 && a * b == 1_000_000_016_000_000_063L;
        }
    }

    /** With fields of the same name, elements of an array and an enum. */
    public static class Mixed {
        enum Color {
            RED,
            BLUE
        }

        static class Left {
            Mixed next;
        }

        Left[] all;
        Left next;
        Color color;
        String name;
        Integer boxed;

        public boolean repOK() {
            if (color == null || all == null || all.length > 2 || boxed == null || name != null) {
                return false;
            }
            for (Left one : all) {
                if (one != null && one.next != null) {
                    return false;
                }
            }
            return next == null;
        }
    }

    /** Of which no structure is valid. */
    public static class Never {
        Never next;

        public boolean repOK() {
            return next != null && next == null;
        }
    }

    /** Without an invariant. */
    public static class Plain {
        Plain next;
    }
}
