package handles.bootstraps;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Call sites and constants that bootstrap methods of the program compute. */
public class Main {
    private static final ByteArrayOutputStream POOL = new ByteArrayOutputStream();
    private static final DataOutputStream ENTRIES = new DataOutputStream(POOL);
    private static int count = 1;

    static int utf(String text) throws IOException {
        ENTRIES.writeByte(1);
        ENTRIES.writeUTF(text);
        return count++;
    }

    static int pair(int tag, int first, int second) throws IOException {
        ENTRIES.writeByte(tag);
        ENTRIES.writeShort(first);
        ENTRIES.writeShort(second);
        return count++;
    }

    static int single(int tag, String text) throws IOException {
        int index = utf(text);
        ENTRIES.writeByte(tag);
        ENTRIES.writeShort(index);
        return count++;
    }

    static int member(int tag, String owner, String name, String type) throws IOException {
        int named = pair(12, utf(name), utf(type));
        return pair(tag, single(7, owner), named);
    }

    static int handle(int kind, int member) throws IOException {
        ENTRIES.writeByte(15);
        ENTRIES.writeByte(kind);
        ENTRIES.writeShort(member);
        return count++;
    }

    static void method(DataOutputStream out, String name, String type, int... code)
            throws IOException {
        out.writeShort(9);
        out.writeShort(utf(name));
        out.writeShort(utf(type));
        out.writeShort(1);
        out.writeShort(utf("Code"));
        out.writeInt(12 + code.length);
        out.writeShort(4);
        out.writeShort(4);
        out.writeInt(code.length);
        for (int at : code) {
            out.writeByte(at);
        }
        out.writeInt(0);
    }

    static byte[] file(int self, int above, byte[] rest) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        out.writeInt(0xCAFEBABE);
        out.writeInt(55);
        out.writeShort(count);
        out.write(POOL.toByteArray());
        out.writeShort(0x21);
        out.writeShort(self);
        out.writeShort(above);
        out.writeInt(0);
        out.write(rest);
        return all.toByteArray();
    }

    public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type,
            int number, String text, Class<?> other) throws Exception {
        System.out.println("link " + name + type + number + text + other.getName()
                + lookup.lookupClass().getName());
        MethodHandle target = lookup.findStatic(Main.class, name,
                MethodType.methodType(int.class, int.class, int.class));
        return new ConstantCallSite(MethodHandles.insertArguments(target, 0, number));
    }

    public static int twice(int number, int value) {
        return 2 * value + number;
    }

    public static Object compute(MethodHandles.Lookup lookup, String name, Class<?> type) {
        System.out.println("compute " + name + " " + type);
        return name + "!";
    }

    public static void main(String[] args) throws Exception {
        String own = Main.class.getName().replace('.', '/');
        String lookup = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;";
        int self = single(7, "Made");
        int above = single(7, "java/lang/Object");
        int link = handle(6, member(10, own, "link", lookup + "Ljava/lang/invoke/MethodType;"
                + "ILjava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/CallSite;"));
        int compute = handle(6, member(10, own, "compute", lookup
                + "Ljava/lang/Class;)Ljava/lang/Object;"));
        int primitive = handle(6, member(10, "java/lang/invoke/ConstantBootstraps",
                "primitiveClass", lookup + "Ljava/lang/Class;)Ljava/lang/Class;"));
        ENTRIES.writeByte(3);
        ENTRIES.writeInt(7);
        int number = count++;
        int text = single(8, "text");
        int other = single(7, "java/util/List");
        int site = pair(18, 0, pair(12, utf("twice"), utf("(I)I")));
        int constant = pair(17, 1, pair(12, utf("name"), utf("Ljava/lang/String;")));
        int type = pair(17, 2, pair(12, utf("J"), utf("Ljava/lang/Class;")));
        int length = handle(5, member(10, "java/lang/String", "length", "()I"));
        int shape = single(16, "(IJ[Ljava/lang/String;)V");
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(rest);
        out.writeShort(5);
        method(out, "call", "(I)I", 0x1a, 0xba, site >> 8, site & 255, 0, 0, 0xac);
        method(out, "constant", "()Ljava/lang/String;", 0x12, constant, 0x4b, 0x2a, 0xb0);
        method(out, "handle", "()Ljava/lang/invoke/MethodHandle;", 0x12, length, 0xb0);
        method(out, "shape", "()Ljava/lang/invoke/MethodType;", 0x12, shape, 0xb0);
        method(out, "type", "()Ljava/lang/Class;", 0x12, type, 0xb0);
        out.writeShort(1);
        out.writeShort(utf("BootstrapMethods"));
        out.writeInt(20);
        for (int part : new int[] {3, link, 3, number, text, other, compute, 0, primitive, 0}) {
            out.writeShort(part);
        }
        byte[] bytes = file(self, above, rest.toByteArray());
        Class<?> made = new ClassLoader(Main.class.getClassLoader()) {
            Class<?> define() {
                return defineClass("Made", bytes, 0, bytes.length);
            }
        }.define();
        System.out.println(made.getMethod("call", int.class).invoke(null, 5));
        System.out.println(made.getMethod("call", int.class).invoke(null, 6));
        System.out.println(made.getMethod("constant").invoke(null));
        System.out.println(made.getMethod("constant").invoke(null));
        System.out.println(made.getMethod("handle").invoke(null));
        System.out.println(made.getMethod("shape").invoke(null));
        System.out.println(made.getMethod("type").invoke(null));
    }
}
