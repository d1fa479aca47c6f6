package lambdas.genericresults;

import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** References to generic methods, whose erased results are unboxed to wider primitives. */
public class Main {
    interface FromShort {
        int apply(Short value);
    }

    interface FromCharacter {
        int apply(Character value);
    }

    interface ToChar {
        char apply(Character value);
    }

    interface ToBoolean {
        boolean apply(Boolean value);
    }

    interface Widest {
        double apply(Float value);
    }

    static class Same<T> {
        private T hidden(T value) {
            return value;
        }

        T open(T value) {
            return value;
        }

        static <U> U fixed(U value) {
            return value;
        }
    }

    private static void show(Runnable run) {
        try {
            run.run();
        } catch (RuntimeException thrown) {
            System.out.println(thrown.getClass().getName());
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        show(() -> {
            FromShort function = new Same<Short>()::hidden;
            System.out.println(function.apply((short) 7));
        });
        show(() -> {
            FromShort function = new Same<Short>()::open;
            System.out.println(function.apply((short) -8));
        });
        show(() -> {
            FromShort function = Same::fixed;
            System.out.println(function.apply((short) 9));
        });
        show(() -> {
            FromCharacter function = c -> new Same<Character>().open(c);
            System.out.println(function.apply('c'));
        });
        show(() -> {
            ToChar function = new Same<Character>()::open;
            System.out.println(function.apply('d'));
        });
        show(() -> {
            ToBoolean function = Same::fixed;
            System.out.println(function.apply(true));
        });
        show(() -> {
            Widest function = Same::fixed;
            System.out.println(function.apply(1.5f));
        });
        show(() -> {
            ToIntFunction<Byte> function = Same::fixed;
            System.out.println(function.applyAsInt((byte) -3));
        });
        show(() -> {
            ToLongFunction<Integer> function = Same::fixed;
            System.out.println(function.applyAsLong(Integer.MIN_VALUE));
        });
        show(() -> {
            ToDoubleFunction<Long> function = Same::fixed;
            System.out.println(function.applyAsDouble(1L << 60));
        });
        show(() -> {
            ToIntFunction<Integer> function = Same::fixed;
            System.out.println(((ToIntFunction) function).applyAsInt(3.9));
        });
        show(() -> {
            ToIntFunction<Integer> function = Same::fixed;
            System.out.println(((ToIntFunction) function).applyAsInt("text"));
        });
        show(() -> {
            FromShort function = Same::fixed;
            System.out.println(function.apply(null));
        });
    }
}
