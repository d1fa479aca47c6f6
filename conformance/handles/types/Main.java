package handles.types;

import java.lang.invoke.MethodType;

import java.util.List;

/** Method types: made, changed, compared, described. */
public class Main {
    public static void main(String[] args) {
        MethodType type = MethodType.methodType(int.class, String.class, long.class);
        System.out.println(type + " " + type.toMethodDescriptorString());
        System.out.println(type.parameterCount() + " " + type.parameterType(1) + " "
                + type.returnType() + " " + type.parameterList());
        System.out.println(type == MethodType.methodType(int.class, String.class, long.class));
        System.out.println(type.equals(MethodType.methodType(int.class)) + " "
                + (type.hashCode() == MethodType.methodType(int.class, String.class, long.class)
                        .hashCode()));
        System.out.println(type.generic() + " " + type.wrap() + " " + type.wrap().unwrap());
        System.out.println(type.erase() + " " + type.hasPrimitives() + " " + type.hasWrappers());
        System.out.println(type.changeReturnType(void.class) + " "
                + type.changeParameterType(0, Object.class));
        System.out.println(type.insertParameterTypes(1, int[].class) + " "
                + type.appendParameterTypes(List.class, char.class));
        System.out.println(type.dropParameterTypes(0, 1) + " " + type.lastParameterType());
        System.out.println(MethodType.genericMethodType(3) + " "
                + MethodType.genericMethodType(1, true));
        System.out.println(MethodType.fromMethodDescriptorString("([[ILjava/util/Map;)D",
                Main.class.getClassLoader()));
        System.out.println(type.describeConstable().get().displayDescriptor());
        System.out.println(type.descriptorString());
        try {
            type.dropParameterTypes(1, 5);
        } catch (IndexOutOfBoundsException thrown) {
            System.out.println("out of bounds");
        }
        try {
            MethodType.fromMethodDescriptorString("(I", null);
        } catch (IllegalArgumentException thrown) {
            System.out.println("malformed");
        }
    }
}
