package exceptions.initfailure;

/** ExceptionInInitializerError thrown by the main class's own use of another class, uncaught. */
public class Main {
    static class Broken {
        static final Object VALUE = fail();

        static Object fail() {
            throw new UnsupportedOperationException("no value");
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        System.out.println(Broken.VALUE);
    }
}
