package heapwright.trial;

import heapwright.agent.Agent;
import heapwright.agent.Probes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The windows of a run of a test class: the running of a test, or the time between two. Each event of a framework ends one. With
 * an agent their probes are reported, and a mutant runs in some of them, or in all. One that runs in all stays behind the end, as
 * the next class often runs on it, too.
 */
final class Windows {
    private static boolean hasAgent;
    private static int window;
    private static String target;
    private static byte[] mutant;
    private static String file;
    private static BitSet mutated = new BitSet();
    private static boolean isEverywhere;
    private static boolean isMutated;
    /** Whether the class has the code of a mutant before. */
    private static boolean isOutdated;

    private Windows() {}

    static void useAgent() {
        hasAgent = true;
    }

    /**
     * Begins a class, with a mutant if there is one: the class, by its internal name, its file, which no other mutant has, and the
     * windows, {@code *} for all.
     *
     * @throws Exception the mutant cannot run
     */
    static synchronized void begin(String[] request) throws Exception {
        window = 0;
        mutated = new BitSet();
        boolean hasMutant = request.length > 3 && !request[1].isEmpty();
        if (!hasMutant || !request[2].equals(file)) {
            change(hasMutant ? request : null);
        }
        isEverywhere = hasMutant && request[3].equals("*");
        if (!hasMutant) {
            return;
        }
        // What is refused is so at once.
        enter(true);
        if (!isEverywhere) {
            for (String range : request[3].split(",")) {
                String[] ends = range.split("-");
                mutated.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
            enter(mutated.get(0));
        }
    }

    /** Takes another mutant, or none. Where one of the same class follows, the original code is not needed in between. */
    private static void change(String[] request) throws Exception {
        if (request == null || !request[1].equals(target)) {
            enter(false);
        }
        file = null;
        if (request != null) {
            target = request[1];
            mutant = Files.readAllBytes(Path.of(request[2]));
            file = request[2];
            isOutdated = isMutated;
        }
    }

    /** Ends a window. Behind a failure in one with the mutant nothing is left to be found out. */
    static synchronized void next(boolean fails) {
        if (!hasAgent) {
            return;
        }
        report();
        window++;
        if (fails && isMutated) {
            mutated.clear();
        }
        try {
            enter(isEverywhere || mutated.get(window));
        } catch (Exception | LinkageError refused) {
            Together.report("refused", refused.toString());
        }
    }

    /** Ends the class. */
    static synchronized void end() throws Exception {
        if (hasAgent) {
            report();
            enter(isEverywhere);
            for (String name : Agent.foreign()) {
                Together.report("foreign", name);
            }
        }
    }

    private static void report() {
        String slots = Probes.take();
        if (!slots.isEmpty()) {
            Together.report("slots", slots);
        }
    }

    private static void enter(boolean withMutant) throws Exception {
        if (withMutant == isMutated && !isOutdated) {
            return;
        }
        ClassLoader loader = Windows.class.getClassLoader();
        try {
            Agent.mutate(target, withMutant ? mutant : null, loader);
        } catch (Exception | LinkageError refused) {
            if (isOutdated) {
                // The mutant before is not to stay.
                Agent.mutate(target, null, loader);
                isMutated = false;
                isOutdated = false;
            }
            throw refused;
        }
        isMutated = withMutant;
        isOutdated = false;
    }
}
