package serialization.graphs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Graphs of objects written and read: cycles, proxies, versions, filters. */
public class Main {
    enum Level { LOW, HIGH }

    record Pair(int number, String text) implements Serializable {
    }

    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        final String name;
        Node next;
        transient String secret;
        final Map<String, Object> values = new TreeMap<>();

        Node(String name) {
            this.name = name;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            secret = "restored";
        }
    }

    static class Once implements Serializable {
        private final String value;

        Once(String value) {
            this.value = value;
        }

        private Object writeReplace() {
            return new Replacement(value);
        }
    }

    static class Replacement implements Serializable {
        private final String value;

        Replacement(String value) {
            this.value = value;
        }

        private Object readResolve() {
            return "resolved " + value;
        }
    }

    static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }

    public static void main(String[] args) throws Exception {
        Node first = new Node("first");
        first.next = new Node("second");
        first.next.next = first;
        first.secret = "hidden";
        first.values.put("k", List.of(1, 2));
        Node copy = (Node) read(write(first));
        System.out.println(copy.name + copy.next.name + (copy.next.next == copy) + copy.secret
                + copy.values);
        System.out.println(read(write(Level.HIGH)) == Level.HIGH);
        System.out.println(read(write(new Once("value"))));
        System.out.println(Arrays.deepToString((Object[]) read(write(new Object[] {1, "a", new int[] {2}}))));
        System.out.println(read(write(new Pair(3, "p"))) + " " + ((Supplier<?>) read(write(
                (Supplier<String> & Serializable) () -> "lambda"))).get());
        try {
            write(new Object());
        } catch (NotSerializableException thrown) {
            System.out.println(thrown.getMessage());
        }
        ObjectInputStream filtered = new ObjectInputStream(new ByteArrayInputStream(write(first)));
        filtered.setObjectInputFilter(info -> info.serialClass() == Node.class
                ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED);
        try {
            filtered.readObject();
        } catch (InvalidClassException thrown) {
            System.out.println("rejected");
        }
        System.out.println(ObjectStreamClass.lookup(Pair.class).getFields().length);
    }
}
