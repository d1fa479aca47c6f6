package handles.factories;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.StringConcatFactory;

import java.util.Comparator;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Bootstrap methods of the JDK called as ordinary methods. */
public class Main {
    static int square(int value) {
        return value * value;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType unary = MethodType.methodType(int.class, int.class);
        MethodHandle square = lookup.findStatic(Main.class, "square", unary);
        CallSite lambda = LambdaMetafactory.metafactory(lookup, "applyAsInt",
                MethodType.methodType(IntUnaryOperator.class), unary, square, unary);
        System.out.println(((IntUnaryOperator) lambda.getTarget().invokeExact()).applyAsInt(7));
        MethodHandle trim = lookup.findVirtual(String.class, "trim",
                MethodType.methodType(String.class));
        CallSite bound = LambdaMetafactory.metafactory(lookup, "get",
                MethodType.methodType(Supplier.class, String.class),
                MethodType.methodType(Object.class), trim, MethodType.methodType(String.class));
        Supplier<?> supplier = (Supplier<?>) bound.getTarget().invokeExact(" x ");
        System.out.println("[" + supplier.get() + "]");
        CallSite text = StringConcatFactory.makeConcatWithConstants(lookup, "text",
                MethodType.methodType(String.class, int.class, String.class), "a\1b\1c");
        System.out.println((String) text.getTarget().invokeExact(4, "q"));
        CallSite plain = StringConcatFactory.makeConcat(lookup, "text",
                MethodType.methodType(String.class, double.class, char.class));
        System.out.println((String) plain.getTarget().invokeExact(0.5, 'z'));
        MethodHandle compare = lookup.findVirtual(String.class, "compareTo",
                MethodType.methodType(int.class, String.class));
        @SuppressWarnings("unchecked")
        Comparator<String> order = MethodHandleProxies.asInterfaceInstance(Comparator.class, compare);
        System.out.println(order.compare("a", "c") + " "
                + MethodHandleProxies.isWrapperInstance(order));
    }
}
