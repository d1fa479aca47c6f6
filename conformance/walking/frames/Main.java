package walking.frames;

import java.util.List;
import java.util.stream.*;

public class Main {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    static void outer() {
        inner(3);
    }

    static long inner(int argument) {
        List<String> frames = WALKER.walk(all -> all.map(frame -> frame.getMethodName() + ":" + frame.getLineNumber()
            + ":" + frame.getDeclaringClass().getSimpleName()).collect(Collectors.toList()));
        System.out.println(frames);
        WALKER.forEach(frame -> System.out.println(frame.getClassName() + " " + frame.isNativeMethod() + " " + frame.getFileName()));
        System.out.println(WALKER.getCallerClass().getName());
        StackWalker.StackFrame top = WALKER.walk(Stream::findFirst).orElseThrow();
        System.out.println(top.getDescriptor() + " " + top.toStackTraceElement());
        Object type = top.getMethodType();
        System.out.println(type);
        return WALKER.walk(Stream::count);
    }

    class Inner {
        String caller() {
            return WALKER.walk(all -> all.skip(1).findFirst()).get().getMethodName();
        }
    }

    public static void main(String[] args) throws Exception {
        outer();
        System.out.println(Main.class.getDeclaredMethod("inner", int.class).invoke(null, 1));
        System.out.println(new Main().new Inner().caller());
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            StackWalker.getInstance().walk(Stream::findFirst).get().getDeclaringClass();
        } catch (UnsupportedOperationException e) {
            System.out.println("no class");
        }
        try {
            WALKER.walk(null);
        } catch (NullPointerException e) {
            System.out.println("no function");
        }
        Runnable lambda = () -> {
            long count = WALKER.walk(Stream::count);
            System.out.println(count);
        };
        lambda.run();
    }
}
