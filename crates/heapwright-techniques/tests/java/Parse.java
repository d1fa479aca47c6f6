import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.text.NumberFormat;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parses texts. Standard input has lines {@code kind TAB name TAB text}: an expression, a pattern or a constant
 * formatter of dates, or the class and the name of a parser. Prints for each whether the text is accepted.
 */
final class Parse {
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", -1);
            boolean accepts;
            try {
                accepts = accepts(parts[0], parts[1], parts[2]);
            } catch (RuntimeException refused) {
                accepts = false;
            }
            System.out.println(accepts);
        }
    }

    private static boolean accepts(String kind, String name, String text) throws ReflectiveOperationException {
        switch (kind) {
            case "expression":
                return Pattern.matches(name, text);
            case "pattern":
                return DateTimeFormatter.ofPattern(name).parse(text) != null;
            case "formatter":
                return ((DateTimeFormatter) DateTimeFormatter.class.getField(name).get(null)).parse(text) != null;
            default:
                return parses(name, text);
        }
    }

    private static boolean parses(String name, String text) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Class<?> owner = Class.forName(name.substring(0, dot));
        String method = name.substring(dot + 1);
        List<Executable> all = new ArrayList<>(Arrays.asList(owner.getMethods()));
        if (method.equals("<init>")) {
            all = Arrays.asList(owner.getConstructors());
        }
        for (Executable one : all) {
            Class<?>[] taken = one.getParameterTypes();
            boolean isNamed = method.equals("<init>") || one.getName().equals(method);
            if (!isNamed || taken.length != 1 || !taken[0].isAssignableFrom(String.class) || taken[0] == Object.class) {
                continue;
            }
            try {
                if (one instanceof Method) {
                    Object receiver = Modifier.isStatic(one.getModifiers()) ? null : receiver(owner);
                    return ((Method) one).invoke(receiver, text) != null;
                }
                return ((java.lang.reflect.Constructor<?>) one).newInstance(text) != null;
            } catch (InvocationTargetException refused) {
                return false;
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static Object receiver(Class<?> owner) {
        if (owner == Base64.Decoder.class) {
            return Base64.getDecoder();
        }
        return owner == HexFormat.class ? HexFormat.of() : NumberFormat.getInstance(Locale.ROOT);
    }
}
