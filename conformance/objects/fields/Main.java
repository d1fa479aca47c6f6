package objects.fields;

/** Fields of every type: defaults, initialisers in order, hiding, statics through null. */
public class Main {
    static class Base {
        boolean z; byte b; char c; short s; int i; long l; float f; double d; Object o;
        String name = "base";
        static int count;
        int order = ++count;

        String name() {
            return name;
        }
    }

    static class Derived extends Base {
        String name = "derived";
        int order = ++count * 10;
        int first = order + super.order;

        {
            first += 1000;
        }

        int second = first * 2;

        String names() {
            return name + super.name + ((Base) this).name + name();
        }
    }

    static int shared = 7;
    final int constant = 12;
    final int computed;
    volatile long vol = 1;
    transient String tr = "t";

    Main(int c) {
        this.computed = c * constant;
    }

    Main() {
        this(5);
    }

    public static void main(String[] args) {
        Base base = new Base();
        System.out.println(base.z + " " + base.b + " " + (int) base.c + " " + base.s + " " + base.i + " " + base.l
                + " " + base.f + " " + base.d + " " + base.o);
        base.z = true;
        base.b = (byte) 300;
        base.c = (char) -1;
        base.s = (short) 40000;
        base.l = -1L >>> 1;
        base.f = 1e10f;
        base.d = 1e-300;
        base.o = base;
        System.out.println(base.z + " " + base.b + " " + (int) base.c + " " + base.s + " " + base.l + " " + base.f
                + " " + base.d + " " + (base.o == base));
        Derived d = new Derived();
        System.out.println(d.names() + " " + d.order + " " + ((Base) d).order + " " + d.first + " " + d.second);
        Base view = d;
        System.out.println(view.name + " " + view.order + " " + Base.count);
        view.name = "changed";
        System.out.println(d.name + " " + d.names());
        Main none = null;
        System.out.println(none.shared);
        none.shared++;
        System.out.println(shared);
        System.out.println(new Main().computed + " " + new Main(2).computed);
        Main m = new Main();
        m.vol <<= 40;
        m.tr += m.vol;
        System.out.println(m.tr);
    }
}
