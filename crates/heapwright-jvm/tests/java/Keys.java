// Keys of hash maps, told apart by what they hold, or not quite.
public class Keys {
    static class Plain {}

    static class ByPattern {
        final Object held;

        ByPattern(Object held) {
            this.held = held;
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof ByPattern key && held == key.held;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(held);
        }
    }

    static final class Below extends ByPattern {
        int number;

        Below() {
            super(null);
        }
    }

    static class ByClass {
        int number;
        Plain held;

        @Override
        public boolean equals(Object object) {
            if (object == this) return true;
            if (object == null) return false;
            if (!getClass().equals(object.getClass())) return false;
            return ((ByClass) object).held == held;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(held);
        }
    }

    static class BySameClass {
        int number;
        Plain held;

        @Override
        public boolean equals(Object object) {
            if (object == this) return true;
            if (object == null || getClass() != object.getClass()) return false;
            boolean isSame = ((BySameClass) object).held == this.held;
            return isSame;
        }

        @Override
        public int hashCode() {
            int hash = System.identityHashCode(held);
            return hash;
        }
    }

    static class HashAlone {
        Object held;

        @Override
        public int hashCode() {
            return System.identityHashCode(held);
        }
    }

    static class OtherHash extends ByPattern {
        OtherHash() {
            super(null);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    static class Mixed extends ByPattern {
        Object second;

        Mixed() {
            super(null);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(second);
        }
    }

    static class Contrary extends ByPattern {
        Contrary() {
            super(null);
        }

        @Override
        public boolean equals(Object object) {
            return !super.equals(object);
        }
    }

    static class OtherClass extends ByPattern {
        OtherClass() {
            super(null);
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof Plain;
        }
    }

    static class ByEquals extends ByPattern {
        ByEquals() {
            super(null);
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof ByEquals key && held.equals(key.held);
        }
    }

    static class Tired extends ByPattern {
        static int asked;

        Tired() {
            super(null);
        }

        @Override
        public boolean equals(Object object) {
            asked++;
            return object instanceof Tired key && held == key.held;
        }
    }

    static class Endless extends ByPattern {
        Endless() {
            super(null);
        }

        @Override
        public boolean equals(Object object) {
            while (held != null || object != null) {}
            return true;
        }
    }

    record ByRecord(Object held) {}
}
