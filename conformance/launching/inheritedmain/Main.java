package launching.inheritedmain;

/** The main method comes from a superclass. */
public final class Main extends Parent {
    static {
        System.out.println("Main is initialised");
    }
}

class Parent {
    static {
        System.out.println("Parent is initialised");
    }

    public static void main(String[] args) {
        System.out.println("inherited " + args.length);
    }
}
