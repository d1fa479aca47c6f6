package claims;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * Methods that return 1 when they are called for the second time, or never. Behind each is the
 * static field that a claim on its branch names, or that the branch is proved to be infeasible. Add a
 * case as a method.
 */
public class Statics {
    private static int count;
    static int shared = 3;
    private static final int[] PASSED_ON = {1};
    private static final int[] WRITTEN = {1};
    public static final int[] PUBLIC = {1};
    private static final List<Integer> LIST = new ArrayList<>();
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Map<String, Integer> MAP = new HashMap<>();
    private static final StringBuilder TEXT = new StringBuilder();
    private static final AtomicInteger ATOMIC = new AtomicInteger();
    private static final LongAdder ADDER = new LongAdder();
    private static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> 0);
    private static final Node ROOT = new Node();
    private static final Pair PAIR = new Pair("a", 2);
    private static final Object LOCK = new Object();
    private static final Integer BOX = 1_000;
    private static final IntSupplier LAMBDA = () -> 3;
    private static final VarHandle HANDLE;
    private static int handled;

    static {
        try {
            HANDLE = MethodHandles.lookup().findStaticVarHandle(Statics.class, "handled", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError(missing);
        }
    }

    public static int own() { if (count != 0) return 1; count++; return 0; } // claims.Statics.count
    public static int callee() { int before = read(); count++; if (before != 0) return 1; return 0; } // claims.Statics.count
    static int read() { return count; }
    public static int lambda() { IntSupplier reads = () -> count; int before = reads.getAsInt(); count++; if (before != 0) return 1; return 0; } // claims.Statics.count
    public static int ofInner() { int before = new Inner().get(); count++; if (before != 0) return 1; return 0; } // claims.Statics.count
    public static int ofOther() { if (Other.value != 0) return 1; Other.value++; return 0; } // claims.Statics$Other.value
    public static int assignedElsewhere() { if (shared != 3) return 1; shared++; return 0; } // claims.Statics.shared
    public static int passedOn() { if (PASSED_ON[0] != 1) return 1; passOn()[0]++; return 0; } // claims.Statics.PASSED_ON
    static int[] passOn() { return PASSED_ON; }
    public static int written() { if (WRITTEN[0] != 1) return 1; WRITTEN[0] = 2; return 0; } // claims.Statics.WRITTEN
    public static int ofAll() { if (PUBLIC[0] != 1) return 1; PUBLIC[0] = 2; return 0; } // claims.Statics.PUBLIC
    public static int list() { if (!LIST.isEmpty()) return 1; LIST.add(1); return 0; } // claims.Statics.LIST
    public static int names() { if (NAMES.size() != 3 || !NAMES.get(0).equals("a")) return 1; return 0; } // proved
    public static int map() { if (MAP.containsKey("a")) return 1; MAP.put("a", 1); return 0; } // claims.Statics.MAP
    public static int text() { if (TEXT.length() > 0) return 1; TEXT.append("a"); return 0; } // claims.Statics.TEXT
    public static int atomic() { if (ATOMIC.get() > 0) return 1; ATOMIC.incrementAndGet(); return 0; } // claims.Statics.ATOMIC
    public static int adder() { if (ADDER.sum() > 0) return 1; ADDER.increment(); return 0; } // claims.Statics.ADDER
    public static int local() { if (LOCAL.get() > 0) return 1; LOCAL.set(1); return 0; } // claims.Statics.LOCAL
    public static int node() { if (ROOT.next != null) return 1; ROOT.next = new Node(); return 0; } // claims.Statics.ROOT
    public static int pair() { if (PAIR.count() != 2 || !PAIR.name().equals("a")) return 1; return 0; } // proved
    public static int lock() { synchronized (LOCK) { if (LOCK == null) return 1; return 0; } } // proved
    public static int box() { if (BOX != 1_000) return 1; return 0; } // proved
    public static int lambdaWithout() { if (LAMBDA.getAsInt() != 3) return 1; return 0; } // proved
    public static int handle() { if ((int) HANDLE.get() != 0) return 1; HANDLE.set(1); return 0; } // claims.Statics.handled
    public static int reflection() throws ReflectiveOperationException { if (Statics.class.getDeclaredField("count").getInt(null) != 0) return 1; count++; return 0; } // claims.Statics.count
    public static int constant() { if (Color.RED.uses != 0) return 1; Color.RED.uses++; return 0; } // claims.Statics$Color.RED
    public static int plainConstant() { if (Plain.ONE.number != 1) return 1; return 0; } // proved
    public static int constants() { if (Plain.values().length != 2) return 1; return 0; } // proved
    public static int choice() { switch (Plain.TWO) { case ONE: return 1; default: return 0; } } // proved
    public static int failing() { boolean isLater = false; try { Failing.one++; } catch (NoClassDefFoundError e) { isLater = true; } catch (ExceptionInInitializerError e) { } if (isLater) return 1; return 0; } // claims.Statics$Failing.<clinit>
    public static int laterRead() { if (PAIR.count() != 2) return 1; return count * 0; } // proved

    static class Inner { int get() { return count; } }
    static class Other { static int value; }
    static class Failing { static int one = 1 / NAMES.indexOf("a"); }
    static class Node { Node next; }
    record Pair(String name, int count) {}
    enum Color { RED; int uses; }
    enum Plain { ONE(1), TWO(2); final int number; Plain(int number) { this.number = number; } }

    /** Calls each method twice and prints what the second call returns. */
    static class Print {
        public static void main(String[] names) throws ReflectiveOperationException {
            for (String name : names) {
                var method = Statics.class.getDeclaredMethod(name);
                method.invoke(null);
                System.out.println(name + " " + method.invoke(null));
            }
        }
    }
}
