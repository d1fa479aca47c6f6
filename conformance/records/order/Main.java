package records.order;

/** Order in which the methods of a record look at its components, and records that contain themselves. */
public class Main {
    static class Told {
        final String name;
        final boolean isEqual;

        Told(String name, boolean isEqual) {
            this.name = name;
            this.isEqual = isEqual;
        }

        @Override
        public boolean equals(Object other) {
            System.out.print("equals " + name + "; ");
            return isEqual;
        }

        @Override
        public int hashCode() {
            System.out.print("hash " + name + "; ");
            return name.length();
        }

        @Override
        public String toString() {
            System.out.print("text " + name + "; ");
            return name;
        }
    }

    record Mixed(Told first, int number, Told second, String text, double share, Told third, long count) {}


    record Ring(int number, Holder next) {}

    static class Holder {
        Ring ring;

        @Override
        public boolean equals(Object other) {
            return other instanceof Holder && ring.equals(((Holder) other).ring);
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    static Mixed mixed(int number, boolean isEqual, double share, long count) {
        return new Mixed(new Told("a", true), number, new Told("b", isEqual), "c", share, new Told("d", true), count);
    }

    static Ring ring(int number) {
        Holder holder = new Holder();
        holder.ring = new Ring(number, holder);
        return holder.ring;
    }

    public static void main(String[] args) {
        Mixed one = mixed(1, true, 0.0, 5);
        System.out.println(one.equals(one));
        System.out.println(one.equals(null) + " " + one.equals("c"));
        System.out.println(one.equals(mixed(1, true, 0.0, 5)));
        System.out.println(one.equals(mixed(2, true, 0.0, 5)));
        System.out.println(one.equals(mixed(1, true, -0.0, 5)));
        System.out.println(one.equals(mixed(1, true, 0.0, 6)));
        System.out.println(mixed(1, false, 0.0, 5).equals(one));
        System.out.println(one.hashCode());
        System.out.println(one);
        Ring ring = ring(1);
        System.out.println(ring.equals(ring));
        System.out.println(ring.next().equals(ring.next()));
        try {
            System.out.println(ring.equals(ring(2)));
        } catch (StackOverflowError e) {
            System.out.println("no end");
        }
    }
}
