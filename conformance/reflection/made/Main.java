package reflection.made;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Classes that a program makes out of bytes, by its own loader and by lookups. */
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

    static class Own extends ClassLoader {
        private final byte[] bytes;

        Own(byte[] bytes) {
            super(Main.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.equals("reflection.made.Made")) {
                throw new ClassNotFoundException(name);
            }
            System.out.println("finding " + name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Throwable {
        int self = single(7, "reflection/made/Made");
        int above = single(7, "java/lang/Object");
        int self2 = single(7, "reflection/made/Hidden");
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(rest);
        out.writeShort(1);
        method(out, "twice", "(I)I", 0x1a, 0x05, 0x68, 0xac);
        out.writeShort(0);
        byte[] bytes = file(self, above, rest.toByteArray());
        byte[] hidden = file(self2, above, rest.toByteArray());
        Own loader = new Own(bytes);
        Class<?> made = loader.loadClass("reflection.made.Made");
        System.out.println(made.getName() + " " + (made.getClassLoader() == loader));
        System.out.println(made.getMethod("twice", int.class).invoke(null, 21));
        System.out.println(loader.loadClass("reflection.made.Made") == made);
        System.out.println(Class.forName("reflection.made.Made", true, loader) == made);
        System.out.println(loader.loadClass("java.lang.String") == String.class);
        System.out.println(loader.loadClass(Main.class.getName()) == Main.class);
        try {
            Class.forName("reflection.made.Made");
        } catch (ClassNotFoundException thrown) {
            System.out.println("not found " + thrown.getMessage());
        }
        try {
            loader.loadClass("reflection.made.Missing");
        } catch (ClassNotFoundException thrown) {
            System.out.println("not found " + thrown.getMessage());
        }
        try {
            loader.findClass("reflection.made.Made");
        } catch (LinkageError error) {
            System.out.println(error.getClass().getSimpleName());
        }
        try {
            new Own(new byte[] {1, 2, 3}).findClass("reflection.made.Made");
        } catch (ClassFormatError error) {
            System.out.println(error.getClass().getSimpleName());
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandles.Lookup inside = lookup.defineHiddenClass(hidden, true);
        Class<?> type = inside.lookupClass();
        System.out.println(type.isHidden() + " " + type.getName().startsWith("reflection.made.Hidden/"));
        System.out.println((int) inside.findStatic(type, "twice",
                MethodType.methodType(int.class, int.class)).invokeExact(4));
        Class<?> second = lookup.defineHiddenClass(hidden, false,
                MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
        System.out.println((second != type) + " " + second.isNestmateOf(Main.class) + " "
                + type.isNestmateOf(Main.class));
        System.out.println(MethodHandles.classData(
                lookup.defineHiddenClassWithClassData(hidden, "data", true), "_", String.class));
    }
}
