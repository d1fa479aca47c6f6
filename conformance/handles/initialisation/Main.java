package handles.initialisation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** When handles initialise classes. */
public class Main {
    static class First {
        static {
            System.out.println("first");
        }

        static int call() {
            return 1;
        }
    }

    static class Second {
        static {
            System.out.println("second");
        }
    }

    static class Third {
        static int value = initial();

        static int initial() {
            System.out.println("third");
            return 3;
        }
    }

    static class Fourth {
        static {
            if (true) {
                throw new IllegalStateException();
            }
        }

        static int call() {
            return 4;
        }
    }

    static class Fifth {
        static {
            System.out.println("fifth");
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle call = lookup.findStatic(First.class, "call", MethodType.methodType(int.class));
        System.out.println("found");
        System.out.println((int) call.invokeExact() + (int) call.invokeExact());
        MethodHandle make = lookup.findConstructor(Second.class, MethodType.methodType(void.class));
        System.out.println("found");
        System.out.println(make.invoke() != make.invoke());
        MethodHandle get = lookup.findStaticGetter(Third.class, "value", int.class);
        System.out.println("found");
        System.out.println((int) get.invokeExact());
        MethodHandle fail = lookup.findStatic(Fourth.class, "call", MethodType.methodType(int.class));
        for (int round = 0; round < 2; round++) {
            try {
                fail.invoke();
            } catch (Error error) {
                System.out.println(error.getClass().getSimpleName());
            }
        }
        Class<?> ensured = lookup.ensureInitialized(Fifth.class);
        System.out.println(ensured.getSimpleName());
        System.out.println(lookup.findClass(Fifth.class.getName()) == ensured);
    }
}
