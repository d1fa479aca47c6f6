package nesting.inners;

/** Inner, nested, local and anonymous classes: outer instances and captured variables. */
public class Main {
    private int value = 1;
    private static int shared = 10;

    private int bump(int by) {
        return value += by;
    }

    class Inner {
        int value = 2;

        class Deep {
            int value = 3;

            String all() {
                return this.value + "," + Inner.this.value + "," + Main.this.value + "," + shared;
            }
        }

        void change() {
            Main.this.value++;
            bump(10);
            shared += Main.this.value;
        }
    }

    static class Nested {
        private int secret = 42;

        private Nested() { }

        private int doubled() {
            return secret * 2;
        }
    }

    class Extended extends Inner {
        @Override
        void change() {
            super.change();
            value = 99;
        }
    }

    interface Counter {
        int next();
    }

    Counter counter(final int start, int step) {
        class Local implements Counter {
            int n = start;

            @Override
            public int next() {
                n += step;
                return n * 100 + value;
            }
        }
        return new Local();
    }

    static Counter anonymous(String[] names) {
        int base = names.length;
        return new Counter() {
            private int calls;

            {
                calls = base * 10;
            }

            @Override
            public int next() {
                return calls++ + names[0].length();
            }
        };
    }

    public static void main(String[] args) {
        Main m = new Main();
        Main.Inner inner = m.new Inner();
        Inner.Deep deep = inner.new Deep();
        System.out.println(deep.all());
        inner.change();
        System.out.println(deep.all());
        Inner extended = m.new Extended();
        extended.change();
        System.out.println(extended.value + " " + m.value + " " + ((Inner) extended).value);
        Nested nested = new Nested();
        nested.secret++;
        System.out.println(nested.doubled() + " " + nested.secret);
        Counter c = m.counter(5, 2), d = m.counter(0, 1);
        System.out.println(c.next() + " " + c.next() + " " + d.next());
        m.value = 7;
        System.out.println(c.next());
        Counter a = anonymous(new String[] {"abc", "d"});
        System.out.println(a.next() + " " + a.next() + " " + a.next());
        System.out.println(inner.getClass().getName() + " " + deep.getClass().getSimpleName() + " " + c.getClass().getName() + " "
                + a.getClass().getName() + " [" + a.getClass().getSimpleName() + "] " + c.getClass().getSimpleName());
        try {
            Main none = null;
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("no outer instance");
        }
        Runnable r = new Runnable() {
            int depth = 0;

            @Override
            public void run() {
                if (depth++ < 2) {
                    System.out.println("depth " + depth);
                    this.run();
                }
            }
        };
        r.run();
    }
}
