package serialization.objects;

import java.io.*;
import java.util.*;

public class Main {
    enum Color { RED, GREEN }

    static class Base {
        int inherited = 1;
    }

    static class Node extends Base implements Serializable {
        private static final long serialVersionUID = 1;
        int value = 3;
        transient int skipped = 4;
        final List<Object> values = new ArrayList<>();
        Node self = this;
        Color color = Color.GREEN;
        double[] numbers = {1.5, -0.0};

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeUTF("extra");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            System.out.println(in.readUTF());
            skipped = 9;
        }
    }

    static class Single implements Serializable {
        static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    static class External implements Externalizable {
        String text;

        public External() { }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeObject(text);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            text = (String) in.readObject();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T copy(T value) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        System.out.println(bytes.size());
        return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    public static void main(String[] args) throws Exception {
        Node node = new Node();
        node.inherited = 7;
        node.value = 8;
        node.values.addAll(List.of("text", Color.RED, 5, 'c'));
        node.values.add(new TreeMap<>(Map.of("a", 1)));
        Node copy = copy(node);
        System.out.println(copy.inherited + " " + copy.value + " " + copy.skipped + " " + copy.values
            + " " + (copy.self == copy) + " " + (copy.color == Color.GREEN) + " " + copy.numbers[1]);
        System.out.println(copy(Single.ONE) == Single.ONE);
        External external = new External();
        external.text = "outside";
        System.out.println(copy(external).text);
        System.out.println(copy(new int[][] {{1}, {2, 3}})[1][1]);
        System.out.println(copy(new ArrayDeque<>(List.of(1, 2))));
        System.out.println(copy(new HashSet<>(List.of("x"))));
        System.out.println(copy(java.time.LocalDate.of(2024, 2, 29)));
        System.out.println(copy(new java.math.BigDecimal("1.50")));
        System.out.println(copy(new IllegalStateException("kept")).getMessage());
        try {
            copy(new Object());
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ObjectInputStream(new ByteArrayInputStream(new byte[] {1, 2, 3, 4}));
        } catch (StreamCorruptedException e) {
            System.out.println(e.getMessage());
        }
        ObjectStreamClass lookup = ObjectStreamClass.lookup(Node.class);
        System.out.println(lookup.getSerialVersionUID() + " " + lookup.getFields().length);
        System.out.println(ObjectStreamClass.lookup(Single.class).getSerialVersionUID());
    }
}
