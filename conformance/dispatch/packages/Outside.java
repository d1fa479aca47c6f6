package dispatch.packages.other;

import dispatch.packages.Main;

/** Declares a method of the same signature that does not override the package-private one. */
public class Outside extends Main.Root {
    String local() {
        return "Outside.local";
    }

    @Override
    protected String open() {
        return "Outside.open";
    }

    public String callOwnLocal() {
        return local() + "," + callLocal();
    }

    public static String readProtected(Outside o) {
        return o.open();
    }
}
