package exceptions.uncaughterror;

/** An exception of our own without a message leaves main, from a static initialiser's class. */
public class Main {
    static class Custom extends Error {
        @Override
        public String toString() {
            return "Custom as text";
        }
    }

    static class Holder {
        static final int[] DATA = make();

        static int[] make() {
            System.out.println("making");
            return new int[] {1, 2, 3};
        }
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(Holder.DATA[2]);
        Throwable t = new Custom();
        System.out.println(t);
        throw t;
    }
}
