package lambdas.references;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Method references of all kinds, constructors and arrays, bound receivers, super, varargs. */
public class Main {
    final String name;

    Main() {
        this("default");
    }

    Main(String name) {
        this.name = name;
    }

    static String shout(String s) {
        return s.toUpperCase(java.util.Locale.ROOT);
    }

    String greet(String other) {
        return name + " greets " + other;
    }

    private String secret() {
        return "secret of " + name;
    }

    @Override
    public String toString() {
        return "Main(" + name + ")";
    }

    static int count(Object... all) {
        return all.length;
    }

    static class Sub extends Main {
        Sub(String s) {
            super(s);
        }

        @Override
        String greet(String other) {
            return "Sub";
        }

        Function<String, String> superGreet() {
            return super::greet;
        }
    }

    class Inner {
        @Override
        public String toString() {
            return "inner of " + name;
        }

        Supplier<String> outer() {
            return Main.this::secret;
        }
    }

    Supplier<Inner> inners() {
        return Inner::new;
    }

    public static void main(String[] args) {
        Function<String, String> statics = Main::shout;
        System.out.println(statics.apply("static"));
        Main m = new Main("bound");
        Function<String, String> bound = m::greet;
        System.out.println(bound.apply("you"));
        BiFunction<Main, String, String> unbound = Main::greet;
        System.out.println(unbound.apply(new Sub("s"), "you") + " " + unbound.apply(m, "me"));
        Supplier<Main> none = Main::new;
        Function<String, Main> one = Main::new;
        System.out.println(none.get() + " " + one.apply("made"));
        IntFunction<int[]> ints = int[]::new;
        Function<Integer, String[][]> grids = String[][]::new;
        System.out.println(ints.apply(4).length + " " + grids.apply(2).length);
        System.out.println(new Sub("x").superGreet().apply("super"));
        System.out.println(m.inners().get() + " " + m.new Inner().outer().get());
        ToIntFunction<String> length = String::length;
        Function<String, Integer> boxedLength = String::length;
        System.out.println(length.applyAsInt("abc") + boxedLength.apply("abcd"));
        Function<Object, Integer> varargs = Main::count;
        BiFunction<Object, Object, Integer> varargs2 = Main::count;
        Supplier<Integer> varargs0 = Main::count;
        System.out.println(varargs.apply("a") + " " + varargs2.apply(1, 2) + " " + varargs0.get());
        List<String> list = new ArrayList<>();
        java.util.function.Consumer<String> adder = list::add;
        adder.accept("x");
        adder.accept("y");
        list.replaceAll(Main::shout);
        list.forEach(System.out::println);
        UnaryOperator<String> trim = String::trim;
        System.out.println("[" + trim.andThen(String::length).apply("  t ") + "]");
        Main nothing = null;
        try {
            Supplier<String> bad = nothing::toString;
            System.out.println("not reached " + bad);
        } catch (NullPointerException e) {
            System.out.println("receiver checked at once");
        }
        Function<Object, String> text = Object::toString;
        System.out.println(text.apply(5) + text.apply(m));
        Supplier<Supplier<String>> nested = () -> m::toString;
        System.out.println(nested.get().get());
        Function<int[], Object> clone = int[]::clone;
        System.out.println(((int[]) clone.apply(new int[3])).length);
    }
}
