package heapwright.trial;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of arguments of a parameterised test. */
final class Rows {
    private Rows() {}

    static boolean has(Method test) {
        return test.isAnnotationPresent(ParameterizedTest.class) || !provider(test).isEmpty();
    }

    /** Name of the data provider of TestNG; empty without one. */
    private static String provider(Method test) {
        org.testng.annotations.Test annotation = test.getAnnotation(org.testng.annotations.Test.class);
        return annotation == null ? "" : annotation.dataProvider();
    }

    static List<Object[]> of(Method test) throws ReflectiveOperationException {
        CsvSource lines = test.getAnnotation(CsvSource.class);
        if (lines != null) {
            List<Object[]> rows = new ArrayList<>();
            for (String line : lines.value()) {
                rows.add(converted(cells(line), test.getParameterTypes()));
            }
            return rows;
        }
        MethodSource source = test.getAnnotation(MethodSource.class);
        String name = source == null ? provider(test) : source.value()[0];
        return given(test.getDeclaringClass().getDeclaredMethod(name));
    }

    /** What a static method gives: a list, an array or a stream of rows. */
    @SuppressWarnings("unchecked")
    static List<Object[]> given(Method source) throws ReflectiveOperationException {
        source.setAccessible(true);
        Object rows;
        try {
            rows = source.invoke(null);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() instanceof ReflectiveOperationException cause ? cause : thrown;
        }
        if (rows instanceof Stream<?> stream) {
            return stream.map(row -> ((Arguments) row).get()).toList();
        }
        if (rows instanceof Object[][] array) {
            return Arrays.asList(array);
        }
        return List.copyOf((Collection<Object[]>) rows);
    }

    /** The cells of a line: a comma separates them, and a cell in single quotes has two for each of its own. */
    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        int at = 0;
        while (at <= line.length()) {
            while (at < line.length() && line.charAt(at) == ' ') {
                at++;
            }
            StringBuilder cell = new StringBuilder();
            if (at < line.length() && line.charAt(at) == '\'') {
                for (at++; at < line.length(); at++) {
                    boolean isQuote = line.charAt(at) == '\'';
                    if (isQuote && (at + 1 == line.length() || line.charAt(at + 1) != '\'')) {
                        break;
                    }
                    at += isQuote ? 1 : 0;
                    cell.append(line.charAt(at));
                }
                at = line.indexOf(',', at);
            } else {
                int comma = line.indexOf(',', at);
                String text = line.substring(at, comma < 0 ? line.length() : comma).strip();
                cell.append(text);
                at = comma;
            }
            cells.add(cell.toString());
            at = at < 0 ? line.length() + 1 : at + 1;
        }
        return cells;
    }

    private static Object[] converted(List<String> cells, Class<?>[] types) {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = converted(cells.get(i), types[i]);
        }
        return values;
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static Object converted(String cell, Class<?> type) {
        if (type.isEnum()) {
            return Enum.valueOf((Class) type, cell);
        }
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> Boolean.valueOf(cell);
            case "byte", "Byte" -> Byte.decode(cell);
            case "short", "Short" -> Short.decode(cell);
            case "char", "Character" -> cell.charAt(0);
            case "int", "Integer" -> Integer.decode(cell);
            case "long", "Long" -> Long.decode(cell);
            case "float", "Float" -> Float.valueOf(cell);
            case "double", "Double" -> Double.valueOf(cell);
            case "BigDecimal" -> new BigDecimal(cell);
            case "BigInteger" -> new BigInteger(cell);
            default -> cell;
        };
    }
}
