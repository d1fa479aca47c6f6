package reflection.nests;

import java.util.Arrays;

/** Hosts and members of nests. */
public class Main {
    static class Inner {
        class Deeper {
        }
    }

    interface Other {
    }

    static String names(Class<?>[] classes) {
        return Arrays.stream(classes).map(Class::getName).sorted().toList().toString();
    }

    public static void main(String[] args) {
        Runnable anonymous = new Runnable() {
            @Override
            public void run() {
            }
        };
        System.out.println(names(Main.class.getNestMembers()));
        System.out.println(names(Inner.Deeper.class.getNestMembers()));
        System.out.println(Inner.class.getNestHost().getName());
        System.out.println(Inner.class.isNestmateOf(Other.class) + " "
                + Inner.class.isNestmateOf(String.class) + " "
                + anonymous.getClass().isNestmateOf(Main.class));
        System.out.println(names(int.class.getNestMembers()) + names(int[].class.getNestMembers()));
        System.out.println(Main.class.getNestMembers()[0] == Main.class);
    }
}
