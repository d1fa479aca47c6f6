package initialisation.instances;

/** Order of field initialisers, blocks, constructors, overridden methods called too early. */
public final class Main {
    static StringBuilder log = new StringBuilder();

    static int note(String s) {
        log.append(s).append(' ');
        return s.length();
    }

    static class Base {
        int a = note("Base.a");

        {
            note("Base.block");
        }

        Base() {
            this(note("Base.this"));
            note("Base()");
        }

        Base(int x) {
            note("Base(int)");
            hook();
        }

        int b = note("Base.b");

        void hook() {
            note("Base.hook");
        }
    }

    static class Derived extends Base {
        final int constant = 5;
        final int computed = Integer.parseInt("6");
        String text = "set";
        String unset;

        {
            note("Derived.block:" + text + ":" + unset);
        }

        Derived() {
            note("Derived()");
        }

        Derived(String s) {
            super(note("arg"));
            unset = s;
            note("Derived(String)");
        }

        @Override
        void hook() {
            note("hook:" + constant + ":" + computed + ":" + text + ":" + unset);
            unset = "early";
            text = "early";
        }
    }

    class Inner extends Base {
        int outer = seed;

        @Override
        void hook() {
            note("inner:" + seed + ":" + outer);
        }
    }

    int seed = 11;

    public static void main(String[] args) {
        new Base();
        System.out.println(log);
        log.setLength(0);
        Derived d = new Derived();
        System.out.println(log + d.text + d.unset);
        log.setLength(0);
        d = new Derived("given");
        System.out.println(log + d.text + d.unset);
        log.setLength(0);
        Main m = new Main();
        m.seed = 12;
        Inner i = m.new Inner();
        System.out.println(log + "" + i.outer);
        log.setLength(0);
        int captured = log.length() + 3;
        Base anonymous = new Base(captured) {
            int own = captured;

            {
                note("anonymous:" + own);
            }

            @Override
            void hook() {
                note("hook:" + own + ":" + captured);
            }
        };
        System.out.println(log + "" + anonymous.a);
    }
}
