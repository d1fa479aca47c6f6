package classes.erased;

import java.util.ArrayList;
import java.util.List;

/** Bridge methods of covariant and generic overriding, seen by calls and by reflection. */
public final class Main {
    interface Maker<T> {
        T make();

        default List<T> many(int n) {
            List<T> l = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                l.add(make());
            }
            return l;
        }
    }

    static class Animal implements Maker<Animal>, Comparable<Animal> {
        @Override
        public Animal make() {
            return new Animal();
        }

        @Override
        public int compareTo(Animal o) {
            return name().compareTo(o.name());
        }

        String name() {
            return "animal";
        }
    }

    static class Dog extends Animal {
        private static int count;
        private final int id = ++count;

        @Override
        public Dog make() {
            return new Dog();
        }

        @Override
        String name() {
            return "dog" + id;
        }
    }

    public static void main(String[] args) throws Exception {
        Maker<? extends Animal> m = new Dog();
        System.out.println(m.make().name() + " " + m.many(2).get(1).name() + " " + new Animal().many(3).size());
        Comparable<Animal> c = new Dog();
        System.out.println(c.compareTo(new Animal()) > 0);
        List<String> lines = new ArrayList<>();
        for (var x : Dog.class.getDeclaredMethods()) {
            lines.add(x.getName() + " " + x.getReturnType().getSimpleName() + " " + x.isBridge() + " " + x.isSynthetic());
        }
        lines.sort(null);
        System.out.println(lines);
        System.out.println(Dog.class.getMethod("make").getReturnType().getSimpleName() + " " + Animal.class.getMethod("compareTo", Object.class).isBridge() + " " + ((Animal) Animal.class.getMethod("make").invoke(new Dog())).name());
    }
}
