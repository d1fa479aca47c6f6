package dispatch.launching;

/** main is found in a superclass; statics of both are initialised in order before it runs. */
public class Main extends Launcher {
    static {
        System.out.println("Main initialised");
    }

    static String title() {
        return "Main's title";
    }
}

class Launcher {
    static {
        System.out.println("Launcher initialised");
    }

    static String title() {
        return "Launcher's title";
    }

    public static void main(final String... arguments) {
        System.out.println(title() + " " + Main.title() + " " + arguments.length);
        main(1);
        new Launcher().main("one");
    }

    static void main(int n) {
        System.out.println("int " + n);
    }

    void main(String s) {
        System.out.println("instance " + s);
    }
}
