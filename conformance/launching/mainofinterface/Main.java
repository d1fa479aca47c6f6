package launching.mainofinterface;

/** The main method of an interface. */
public interface Main {
    int FIELD = Holder.make();

    final class Holder {
        private Holder() {
        }

        static int make() {
            System.out.println("interface is initialised");
            return 3;
        }
    }

    static void main(String... args) {
        System.out.println("main of an interface " + FIELD);
    }
}
