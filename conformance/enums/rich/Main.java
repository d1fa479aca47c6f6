package enums.rich;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;

/** Enums with bodies, interfaces, maps and switches. */
public class Main {
    enum Operation {
        PLUS('+', (a, b) -> a + b),
        MINUS('-', (a, b) -> a - b),
        TIMES('*', (a, b) -> a * b),
        POWER('^', null) {
            @Override
            int apply(int a, int b) {
                return (int) Math.pow(a, b);
            }
        };

        static final Map<Character, Operation> BY_SYMBOL = new TreeMap<>();

        static {
            for (Operation operation : values()) {
                BY_SYMBOL.put(operation.symbol, operation);
            }
        }

        private final char symbol;
        private final IntBinaryOperator function;

        Operation(char symbol, IntBinaryOperator function) {
            this.symbol = symbol;
            this.function = function;
        }

        char symbol() {
            return symbol;
        }

        int apply(int a, int b) {
            return function.applyAsInt(a, b);
        }
    }

    public static void main(String[] args) {
        for (Operation operation : Operation.values()) {
            System.out.println(operation + " " + operation.apply(7, 2) + " " + operation.getClass().isEnum()
                    + " " + operation.getDeclaringClass().getSimpleName() + " " + operation.ordinal());
        }
        System.out.println(Operation.valueOf("PLUS").symbol() + " " + Operation.PLUS.compareTo(
                Operation.POWER));
        try {
            Operation.valueOf("NONE");
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getClass().getSimpleName());
        }
        EnumMap<Operation, Integer> map = new EnumMap<>(Operation.class);
        map.put(Operation.TIMES, 1);
        map.put(Operation.PLUS, 2);
        System.out.println(map + " " + map.containsKey(Operation.POWER));
        EnumSet<Operation> set = EnumSet.allOf(Operation.class);
        set.removeIf(operation -> operation.symbol() == '+');
        System.out.println(set + " " + EnumSet.noneOf(Operation.class).size());
        System.out.println(switch (Operation.TIMES) {
            case PLUS, MINUS -> "additive";
            case TIMES -> "multiplicative";
            default -> "other";
        });
        System.out.println(Arrays.asList(Operation.class.getEnumConstants()).indexOf(Operation.POWER));
        System.out.println(Enum.valueOf(Operation.class, "MINUS").name() + Operation.BY_SYMBOL.get('*'));
    }
}
