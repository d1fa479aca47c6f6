package lambdas.defaults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Default and static methods of the library's functional interfaces. */
public class Main {
    static class Person {
        final String name;
        final int age;
        final String town;

        Person(String name, int age, String town) {
            this.name = name;
            this.age = age;
            this.town = town;
        }

        String name() { return name; }
        int age() { return age; }
        String town() { return town; }

        @Override
        public String toString() {
            return name + age + town;
        }
    }

    static void sorted(String title, List<Person> people, Comparator<Person> c) {
        List<Person> copy = new ArrayList<>(people);
        copy.sort(c);
        System.out.println(title + copy);
    }

    public static void main(String[] args) {
        Function<Integer, Integer> inc = x -> x + 1, dbl = x -> x * 2;
        System.out.println(inc.andThen(dbl).apply(5) + " " + inc.compose(dbl).apply(5) + " " + Function.<Integer>identity().apply(7));
        BiFunction<Integer, Integer, Integer> sum = Integer::sum;
        System.out.println(sum.andThen(Integer::toBinaryString).apply(3, 4));
        Predicate<String> empty = String::isEmpty, longer = s -> s.length() > 3;
        System.out.println(empty.or(longer).test("abcd") + " " + empty.negate().and(longer).test("ab") + " "
                + Predicate.not(empty).test("") + " " + Predicate.isEqual("x").test("x"));
        Consumer<List<Integer>> a = l -> l.add(1);
        List<Integer> target = new ArrayList<>();
        a.andThen(l -> l.add(2)).andThen(a).accept(target);
        System.out.println(target);
        System.out.println(BinaryOperator.minBy(Comparator.<Integer>naturalOrder()).apply(4, 2));
        List<Person> people = List.of(new Person("ann", 30, "york"), new Person("bob", 25, "bath"),
                new Person("cyd", 30, "bath"), new Person("ann", 20, "ely"));
        sorted("age ", people, Comparator.comparingInt(Person::age));
        sorted("age name ", people, Comparator.comparing(Person::age).thenComparing(Person::name));
        sorted("reversed ", people, Comparator.comparing(Person::name).reversed().thenComparingInt(Person::age));
        sorted("town desc ", people, Comparator.comparing(Person::town, Comparator.reverseOrder()).thenComparing(Person::name, (x, y) -> y.compareTo(x)));
        sorted("length ", people, Comparator.comparing((Person p) -> p.town.length()).thenComparing(p -> p.age, Comparator.reverseOrder()));
        List<String> withNull = new ArrayList<>();
        withNull.add("b");
        withNull.add(null);
        withNull.add("a");
        withNull.sort(Comparator.nullsFirst(Comparator.naturalOrder()));
        System.out.println(withNull);
        withNull.sort(Comparator.nullsLast(String.CASE_INSENSITIVE_ORDER.reversed()));
        System.out.println(withNull);
    }
}
