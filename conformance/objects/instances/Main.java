package objects.instances;

/** instanceof and checkcast over classes, interfaces, arrays and null; pattern bindings. */
public class Main {
    interface Animal { }
    interface Pet extends Animal { }
    static class Dog implements Pet { }
    static class Puppy extends Dog { }
    static final class Stone { }

    static String test(Object o) {
        return (o instanceof Animal) + "," + (o instanceof Pet) + "," + (o instanceof Dog) + ","
                + (o instanceof Puppy) + "," + (o instanceof Stone) + "," + (o instanceof Object);
    }

    static String describe(Object o) {
        if (o instanceof Integer i && i > 10) {
            return "big " + (i + 1);
        } else if (o instanceof Integer i) {
            return "small " + i;
        } else if (!(o instanceof String s)) {
            return "other " + (o == null ? "null" : o.getClass().getSimpleName());
        } else {
            return s.length() + " chars";
        }
    }

    static void cast(Object o) {
        try {
            Dog d = (Dog) o;
            System.out.println(d == null ? "cast null" : "cast " + d.getClass().getSimpleName());
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object[] all = {new Dog(), new Puppy(), new Stone(), null, "s", new Dog[0], new Puppy[1][1]};
        for (Object o : all) {
            System.out.println(test(o));
            cast(o);
            System.out.println((o instanceof Object[]) + " " + (o instanceof Animal[]) + " " + (o instanceof Object[][])
                    + " " + (o instanceof Animal[][]) + " " + (o instanceof Puppy[]));
        }
        Object[] values = {5, 50, "text", 'c', null, 1L};
        for (Object o : values) {
            System.out.println(describe(o));
        }
        try {
            Integer i = (Integer) values[2];
            System.out.println(i);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Animal a = (Animal) all[2];
            System.out.println(a);
        } catch (ClassCastException e) {
            System.out.println("no animal");
        }
        System.out.println(Animal.class.isAssignableFrom(Puppy.class) + " " + Puppy.class.isInstance(all[0]) + " "
                + Object.class.isAssignableFrom(int.class) + " " + Dog[].class.isInstance(all[5]));
    }
}
