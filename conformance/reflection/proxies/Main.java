package reflection.proxies;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Proxies: arguments, results of all kinds, what handlers throw. */
public class Main {
    interface Parent {
        long sum(int a, long b, double c);
    }

    interface Child extends Parent {
        boolean flag(char c, byte b, short s, float f);
        void nothing() throws java.io.IOException;
        String[] names(String... more);
        default int twice(int x) { return 2 * x; }
    }

    static class Recorder implements InvocationHandler {
        final List<String> seen = new ArrayList<>();
        Object answer;

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            seen.add(method.getDeclaringClass().getSimpleName() + "." + method.getName() + Arrays.deepToString(args));
            if (answer instanceof Throwable t) throw t;
            return answer;
        }
    }

    public static void main(String[] args) throws Exception {
        Recorder r = new Recorder();
        Child c = (Child) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Child.class, Runnable.class}, r);
        r.answer = 7L;
        System.out.println(c.sum(1, 2L, 3.5));
        r.answer = true;
        System.out.println(c.flag('x', (byte) -1, (short) 300, 1.5f));
        r.answer = null;
        c.nothing();
        ((Runnable) c).run();
        r.answer = new String[] {"p"};
        System.out.println(c.names("a", "b").length);
        r.answer = 5;
        System.out.println(c.twice(9) + " " + c.hashCode());
        r.answer = "shown";
        System.out.println(c + " " + r.seen);
        r.answer = null;
        try {
            c.sum(1, 2, 3);
        } catch (NullPointerException e) {
            System.out.println("null for a long");
        }
        r.answer = "text";
        try {
            c.sum(1, 2, 3);
        } catch (ClassCastException e) {
            System.out.println("text for a long");
        }
        r.answer = new java.io.IOException("declared");
        try {
            c.nothing();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            c.twice(1);
        } catch (UndeclaredThrowableException e) {
            System.out.println("undeclared " + e.getCause().getMessage());
        }
        r.answer = new IllegalStateException("unchecked");
        try {
            c.equals(c);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Proxy.isProxyClass(c.getClass()) + " " + Proxy.isProxyClass(Main.class) + " "
                + (Proxy.getInvocationHandler(c) == r) + " " + (c instanceof Parent) + " " + (c instanceof Proxy));
        // A proxy that passes on to a list, and one that a library class calls.
        List<String> target = new ArrayList<>(List.of("b", "a"));
        @SuppressWarnings("unchecked")
        List<String> list = (List<String>) Proxy.newProxyInstance(null, new Class<?>[] {List.class}, (p, m, a) -> {
            try {
                return m.invoke(target, a);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        list.add("c");
        try {
            list.get(10);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        @SuppressWarnings("unchecked")
        Comparator<String> backwards = (Comparator<String>) Proxy.newProxyInstance(null, new Class<?>[] {Comparator.class},
                (p, m, a) -> ((String) a[1]).compareTo((String) a[0]));
        target.sort(backwards);
        System.out.println(list.size() + " " + list + " " + target);
        try {
            Proxy.newProxyInstance(null, new Class<?>[] {String.class}, r);
        } catch (IllegalArgumentException e) {
            System.out.println("not an interface");
        }
    }
}
