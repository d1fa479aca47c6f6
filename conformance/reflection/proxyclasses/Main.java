package reflection.proxyclasses;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/** Classes of proxies, their constructor, and default methods of proxies. */
public class Main {
    interface Greeter {
        default String greet(String name, int times) {
            return name.repeat(times) + number();
        }

        int number();

        static int unrelated() {
            return 1;
        }
    }

    public static void main(String[] args) throws Exception {
        InvocationHandler handler = (proxy, method, arguments) -> method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : (Object) 5;
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(),
                new Class<?>[] {Greeter.class}, handler);
        System.out.println(greeter.greet("ab", 2));
        Class<?> type = greeter.getClass();
        System.out.println(Proxy.isProxyClass(type) + " " + Proxy.isProxyClass(Main.class));
        System.out.println(Modifier.isFinal(type.getModifiers()) + " "
                + type.getInterfaces()[0].getSimpleName() + " " + type.getSuperclass().getName());
        Constructor<?> constructor = type.getConstructor(InvocationHandler.class);
        InvocationHandler other = (proxy, method, arguments) -> 7;
        Greeter second = (Greeter) constructor.newInstance(other);
        System.out.println(second.number());
        System.out.println(Proxy.getInvocationHandler(second) == other);
        System.out.println(second.getClass() == type);
        try {
            InvocationHandler.invokeDefault(second, Greeter.class.getMethod("number"));
        } catch (Throwable thrown) {
            System.out.println(thrown.getClass().getName());
        }
        try {
            Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {String.class}, other);
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
