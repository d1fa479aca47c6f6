package walking.contexts;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;

/** Callers found behind handles, lambdas and reflection. */
public class Main {
    static class Inner {
        private static int hidden = 8;
    }

    static String caller() {
        return StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst().get()
                .getMethodName());
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        System.out.println(caller());
        System.out.println(lookup.findStatic(Main.class, "caller", MethodType.methodType(String.class))
                .invoke());
        System.out.println(Main.class.getDeclaredMethod("caller").invoke(null));
        Supplier<String> lambda = () -> caller();
        System.out.println(lambda.get().startsWith("lambda$"));
        MethodHandle named = lookup.findStatic(Class.class, "forName", MethodType.methodType(Class.class,
                String.class));
        System.out.println(named.invoke(Main.class.getName()) == Main.class);
        System.out.println(lookup.lookupClass().getSimpleName() + " " + lookup.hasFullPrivilegeAccess()
                + " " + lookup.in(String.class).hasFullPrivilegeAccess());
        System.out.println(MethodHandles.publicLookup().lookupModes() != lookup.lookupModes());
        System.out.println(MethodHandles.privateLookupIn(Inner.class, lookup).findStaticGetter(Inner.class,
                "hidden", int.class).invoke());
    }
}
