package classes.nestedstate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Inner classes with shared mutable state, shadowed names, several levels of this. */
public final class Main {
    private int x = 1;
    private static int made;

    class A {
        int x = 10;

        class B {
            int x = 100;

            int sum(int x) {
                return x + this.x + A.this.x + Main.this.x;
            }

            void bump() {
                x++;
                A.this.x++;
                Main.this.x++;
                made++;
            }
        }

        B b() {
            return new B();
        }
    }

    static class Counter {
        private int n;

        IntSupplier up() {
            return () -> ++n;
        }

        IntSupplier twice() {
            return new IntSupplier() {
                private int n = 50;

                @Override
                public int getAsInt() {
                    return n++ + Counter.this.n++;
                }
            };
        }
    }

    class Sub extends A {
        class Deep extends B {
            int total() {
                return x + Sub.this.x + super.sum(1);
            }
        }
    }

    private List<Runnable> runnables(int n) {
        List<Runnable> all = new ArrayList<>();
        int[] shared = {0};
        for (int i = 0; i < n; i++) {
            int own = i * i;
            class Local implements Runnable {
                private final int id = ++made;

                @Override
                public void run() {
                    shared[0] += own;
                    System.out.print("[" + (id > 0) + " " + own + " " + shared[0] + " " + x++ + "]");
                }
            }
            all.add(new Local());
        }
        return all;
    }

    public static void main(String[] args) {
        Main m = new Main();
        A a = m.new A();
        A.B b = a.new B();
        A.B c = a.b();
        b.bump();
        c.bump();
        System.out.println(b.sum(1000) + " " + c.sum(0) + " " + m.x + " " + a.x + " " + made);
        Counter k = new Counter();
        IntSupplier u = k.up();
        IntSupplier t = k.twice();
        System.out.println(u.getAsInt() + " " + t.getAsInt() + " " + u.getAsInt() + " " + t.getAsInt() + " " + k.n);
        m.runnables(4).forEach(Runnable::run);
        System.out.println(m.x);
        Sub s = m.new Sub();
        System.out.println(s.new Deep().total() + " " + s.b().sum(5));
        A none = null;
        try {
            none.new B();
        } catch (NullPointerException e) {
            System.out.println("no outer");
        }
    }
}
