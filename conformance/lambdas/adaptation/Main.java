package lambdas.adaptation;

import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Boxing, unboxing, widening and casts that the link between lambda and interface must do. */
public class Main {
    interface Generic<T, R> { R call(T t); }
    interface IntToLong { long call(int i); }
    interface Void1<T> { void call(T t); }
    interface Sub extends Generic<String, Integer> { }
    interface Bridge<T> { T merge(T a, T b); }
    interface IntBridge extends Bridge<Integer> { Integer merge(Integer a, Integer b); }

    static int twice(int i) { return 2 * i; }
    static Integer boxedTwice(Integer i) { return 2 * i; }
    static long wide(long l) { return l + 1; }
    static int calls;
    static int sideEffect(Object o) { return ++calls; }
    static byte tiny() { return -5; }
    static char letter() { return 'l'; }

    static <A, B, C> Function<A, C> chain(Function<A, B> f, Function<B, C> g) {
        return a -> g.apply(f.apply(a));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        Function<Integer, Integer> f = Main::twice;
        System.out.println(f.apply(21));
        IntFunction<Integer> g = Main::boxedTwice;
        System.out.println(g.apply(4));
        IntToLong h = Main::twice;
        IntToLong k = Main::boxedTwice;
        IntToLong w = Main::wide;
        System.out.println(h.call(1 << 30) + " " + k.call(3) + " " + w.call(-1));
        Generic<Integer, Object> o = Main::twice;
        System.out.println(o.call(8).getClass().getSimpleName());
        Function<Integer, Long> x = i -> (long) i * i;
        System.out.println(x.apply(100000));
        Void1<String> ignore = Main::sideEffect;
        ignore.call("a");
        ignore.call(null);
        System.out.println(calls);
        ToDoubleFunction<Integer> d = Main::twice;
        ToLongFunction<Integer> l = Integer::intValue;
        LongSupplier s = Main::tiny;
        Supplier<Object> c = Main::letter;
        System.out.println(d.applyAsDouble(3) + " " + l.applyAsLong(7) + " " + s.getAsLong() + " " + c.get());
        IntBinaryOperator max = Math::max;
        IntPredicate even = i -> i % 2 == 0;
        System.out.println(max.applyAsInt(3, 9) + " " + even.and(i -> i > 10).negate().test(12));
        Sub sub = String::length;
        Generic raw = sub;
        System.out.println(raw.call("five!"));
        try {
            raw.call(5);
        } catch (ClassCastException e) {
            System.out.println("cast in the linked method");
        }
        IntBridge bridge = (a, b) -> a - b;
        Bridge<Integer> general = bridge;
        System.out.println(general.merge(10, 4) + bridge.merge(1, 1));
        System.out.println(chain(chain((String t) -> t.length(), n -> n * 1.5), v -> Double.toString(v)).apply("abc"));
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = a -> b -> e -> a * 100 + b * 10 + e;
        System.out.println(curried.apply(1).apply(2).apply(3));
        Function<Integer, Integer> nul = i -> i + 1;
        try {
            nul.apply(null);
        } catch (NullPointerException e) {
            System.out.println("null unboxed in lambda");
        }
        Supplier<Runnable> rs = () -> () -> System.out.println("inner run");
        rs.get().run();
    }
}
