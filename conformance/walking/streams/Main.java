package walking.streams;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Streams of frames: their batches, their end, and frames that are usually hidden. */
public final class Main {
    private static final StackWalker WALKER = StackWalker.getInstance();

    static void print(Object object) {
        System.out.println(object);
    }

    static int deep(int depth) {
        return depth == 0 ? WALKER.walk(frames -> (int) frames.filter(frame -> frame.getMethodName().equals("deep")).count()) : deep(depth - 1);
    }

    static String last(int depth) {
        return depth == 0 ? WALKER.walk(frames -> frames.reduce((one, two) -> two)).get().getMethodName() : last(depth - 1);
    }

    static List<String> names(StackWalker walker) {
        return walker.walk(frames -> frames.map(StackFrame::getMethodName).collect(Collectors.toList()));
    }

    public static void walkers() {
        System.out.println(names(WALKER));
        List<String> shown = names(StackWalker.getInstance(Option.SHOW_REFLECT_FRAMES));
        System.out.println(shown.contains("invoke") + " " + shown.get(0) + " " + shown.get(shown.size() - 1));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(deep(3) + " " + deep(100) + " " + deep(700));
        System.out.println(last(5) + " " + last(300));
        Stream<StackFrame> late = WALKER.walk(frames -> frames);
        try {
            System.out.println(late.count());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        print(WALKER.walk(frames -> frames.limit(1).map(StackFrame::getMethodName).collect(Collectors.toList())));
        print(WALKER.walk(frames -> names(WALKER).size() > 1 ? frames.findFirst().get().getMethodName() : ""));
        Main.class.getMethod("walkers").invoke(null);
        Runnable lambda = () -> {
            StackWalker all = StackWalker.getInstance(Set.of(Option.SHOW_HIDDEN_FRAMES, Option.RETAIN_CLASS_REFERENCE));
            print(all.walk(frames -> frames.anyMatch(frame -> frame.getClassName().contains("$$Lambda"))));
            print(WALKER.walk(frames -> frames.anyMatch(frame -> frame.getClassName().contains("$$Lambda"))));
        };
        lambda.run();
        WALKER.forEach(frame -> System.out.println(frame.getMethodName()));
        try {
            WALKER.walk(frames -> {
                throw new IllegalArgumentException("out of a walk");
            });
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
