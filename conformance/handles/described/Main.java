package handles.described;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Nominal descriptors of constants and their resolution. */
public class Main {
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        ClassDesc list = ClassDesc.of("java.util", "List");
        System.out.println(list.displayName() + " " + list.packageName() + " " + list.arrayType(2)
                .descriptorString() + " " + list.isPrimitive());
        System.out.println(list.resolveConstantDesc(lookup) + " " + ConstantDescs.CD_int
                .resolveConstantDesc(lookup));
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor("(ILjava/lang/String;)J");
        System.out.println(type.displayDescriptor() + " " + type.parameterCount() + " "
                + type.resolveConstantDesc(lookup));
        DirectMethodHandleDesc handle = MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC,
                ClassDesc.of("java.lang.Integer"), "parseInt", MethodTypeDesc.ofDescriptor(
                        "(Ljava/lang/String;)I"));
        System.out.println((int) ((MethodHandle) handle.resolveConstantDesc(lookup)).invokeExact("42"));
        System.out.println(handle.owner().displayName() + "." + handle.methodName() + " "
                + handle.invocationType().displayDescriptor());
        DynamicConstantDesc<?> constant = DynamicConstantDesc.ofNamed(ConstantDescs.BSM_PRIMITIVE_CLASS,
                "I", ConstantDescs.CD_Class);
        System.out.println(constant.resolveConstantDesc(lookup));
        System.out.println(String.class.describeConstable().get().displayName() + " "
                + "text".describeConstable().get() + " " + Integer.valueOf(3).describeConstable().get());
        System.out.println(Thread.State.NEW.describeConstable().get().constantName());
        System.out.println(lookup.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class,
                String.class)).describeConstable().isPresent());
        System.out.println(ConstantBootstraps.nullConstant(lookup, "_", String.class) + " "
                + ConstantBootstraps.enumConstant(lookup, "NEW", Thread.State.class) + " "
                + ConstantBootstraps.getStaticFinal(lookup, "MAX_VALUE", int.class, Integer.class));
    }
}
