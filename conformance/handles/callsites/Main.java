package handles.callsites;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.SwitchPoint;
import java.lang.invoke.VolatileCallSite;
import java.lang.invoke.WrongMethodTypeException;

/** Call sites whose target is constant or changes. */
public class Main {
    static String one(int value) {
        return "one" + value;
    }

    static String two(int value) {
        return "two" + value;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(String.class, int.class);
        MethodHandle one = lookup.findStatic(Main.class, "one", type);
        MethodHandle two = lookup.findStatic(Main.class, "two", type);
        MutableCallSite site = new MutableCallSite(one);
        MethodHandle invoker = site.dynamicInvoker();
        System.out.println((String) invoker.invokeExact(1));
        site.setTarget(two);
        System.out.println((String) invoker.invokeExact(2) + " " + site.type());
        VolatileCallSite other = new VolatileCallSite(type);
        try {
            other.dynamicInvoker().invoke(3);
        } catch (IllegalStateException thrown) {
            System.out.println("no target");
        }
        other.setTarget(one);
        System.out.println(other.dynamicInvoker().invoke(4));
        CallSite constant = new ConstantCallSite(two);
        System.out.println(constant.getTarget() == two);
        try {
            constant.setTarget(one);
        } catch (UnsupportedOperationException thrown) {
            System.out.println("constant");
        }
        try {
            site.setTarget(MethodHandles.identity(int.class));
        } catch (WrongMethodTypeException thrown) {
            System.out.println("wrong type");
        }
        SwitchPoint point = new SwitchPoint();
        MethodHandle guarded = point.guardWithTest(one, two);
        System.out.println(guarded.invoke(5));
        SwitchPoint.invalidateAll(new SwitchPoint[] {point});
        System.out.println(guarded.invoke(6) + " " + point.hasBeenInvalidated());
    }
}
