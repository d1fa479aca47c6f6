package dispatch.bridges;

/** Bridge methods: generic overriding, covariant returns, and the casts inside bridges. */
public class Main {
    static class Cell<T> {
        T value;
        void set(T v) { value = v; }
        T get() { return value; }
    }

    static class IntCell extends Cell<Integer> {
        int sets;
        @Override void set(Integer v) { sets++; super.set(v + 1); }
        @Override Integer get() { return value * 2; }
    }

    interface Transformer<A, B> { B apply(A a); }

    static class Length implements Transformer<String, Integer> {
        public Integer apply(String s) { return s.length(); }
    }

    static class Copier implements Cloneable {
        int x = 1;
        @Override public Copier clone() {
            try {
                Copier c = (Copier) super.clone();
                c.x++;
                return c;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static abstract class Builder<B extends Builder<B>> {
        StringBuilder text = new StringBuilder();
        abstract B self();
        B add(String s) { text.append(s); return self(); }
    }

    static class Special extends Builder<Special> {
        Special self() { return this; }
        Special mark() { return add("*"); }
    }

    static <T extends Comparable<T>> T max(T a, T b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        Cell<Integer> c = new IntCell();
        c.set(20);
        System.out.println(c.get() + " " + c.value + " " + ((IntCell) c).sets);
        Cell raw = c;
        try {
            raw.set("text");
        } catch (ClassCastException e) {
            System.out.println("bridge cast: " + ((IntCell) c).sets);
        }
        Transformer t = new Length();
        System.out.println(t.apply("four"));
        try {
            t.apply(5);
        } catch (ClassCastException e) {
            System.out.println("bridge cast again");
        }
        Cell<String> polluted = new Cell<>();
        ((Cell) polluted).set(5);
        try {
            String s = polluted.get();
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println("cast at the caller");
        }
        System.out.println((Object) polluted.get());
        Object o = new Copier().clone().clone();
        System.out.println(((Copier) o).x);
        System.out.println(new Special().add("a").mark().add("b").text);
        System.out.println(max("a", "b") + max(5, 3) + max(2.5, -1.0) + max('x', 'y'));
    }
}
