package dispatch.packages;

import dispatch.packages.other.Outside;

/** A package-private method is not overridden from another package. */
public class Main {
    public static class Root {
        String local() { return "Root.local"; }
        protected String open() { return "Root.open"; }
        public String callLocal() { return local(); }
        public String callOpen() { return open(); }
    }

    static class Inside extends Root {
        @Override String local() { return "Inside.local"; }
        @Override protected String open() { return "Inside.open"; }
    }

    static class Again extends Outside {
        @Override protected String open() { return "Again.open>" + super.open(); }
    }

    public static void main(String[] args) {
        Root[] all = {new Root(), new Inside(), new Outside(), new Again()};
        for (Root r : all) {
            System.out.println(r.local() + " " + r.open() + " " + r.callLocal() + " " + r.callOpen());
        }
        Outside o = new Outside();
        System.out.println(o.callOwnLocal());
        System.out.println(new Again().callOwnLocal());
        System.out.println(Outside.readProtected(o));
    }
}
