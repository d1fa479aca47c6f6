package reflection.encapsulation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;

/** What reflection may reach into: the program itself and what modules export, not what they keep. */
public class Main {
    private int secret = 3;

    private static String quiet() {
        return "quiet";
    }

    static class Other {
        private final String text = "other";

        private Other() {
        }
    }

    private static void show(String name, Callable<?> call) {
        try {
            System.out.println(name + ": " + call.call());
        } catch (Throwable thrown) {
            String message = String.valueOf(thrown.getMessage());
            // The unnamed module has an identity hash.
            System.out.println(name + " throws " + thrown.getClass().getName() + ": "
                + message.replaceAll("@[0-9a-f]+", "@"));
        }
    }

    private static <T extends AccessibleObject & Member> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    public static void main(String[] args) {
        show("own field", () -> open(Main.class.getDeclaredField("secret")).get(new Main()));
        show("own method", () -> open(Main.class.getDeclaredMethod("quiet")).invoke(null));
        show("own constructor", () -> {
            Constructor<Other> constructor = open(Other.class.getDeclaredConstructor());
            return open(Other.class.getDeclaredField("text")).get(constructor.newInstance());
        });
        show("field of String", () -> open(String.class.getDeclaredField("hash")).getInt("a"));
        show("field of Integer", () -> open(Integer.class.getDeclaredField("value")).getInt(5));
        show("field of ArrayList", () -> open(java.util.ArrayList.class.getDeclaredField("size")));
        show("public field", () -> open(Integer.class.getDeclaredField("MAX_VALUE")).get(null));
        show("private method", () -> open(List.class.getDeclaredMethod("of", Object.class)).invoke(null, 1));
        show("method of a hidden class", () -> {
            Method size = List.of(1).getClass().getMethod("size");
            return size.invoke(List.of(1));
        });
        show("opened method of a hidden class", () -> {
            Method size = List.of(1).getClass().getMethod("size");
            size.setAccessible(true);
            return size.invoke(List.of(1));
        });
        show("not exported", () -> Class.forName("sun.security.util.Debug").getMethod("isOn", String.class)
            .invoke(null, "x"));
        show("try", () -> {
            Field field = Throwable.class.getDeclaredField("detailMessage");
            return field.trySetAccessible();
        });
        show("without opening", () -> {
            Field field = Throwable.class.getDeclaredField("detailMessage");
            return field.get(new Throwable("x"));
        });
        show("can access", () -> Throwable.class.getDeclaredField("detailMessage").canAccess(new Throwable()));
        show("protected static", () -> open(ClassLoader.class.getDeclaredMethod("registerAsParallelCapable")) != null);
        show("several", () -> {
            Field[] fields = Integer.class.getDeclaredFields();
            AccessibleObject.setAccessible(fields, true);
            return "opened";
        });
    }
}
