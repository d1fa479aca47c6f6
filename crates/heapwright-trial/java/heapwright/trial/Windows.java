package heapwright.trial;

import heapwright.agent.Agent;
import heapwright.agent.Probes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The windows of a run of a test class: the running of a test, or the time between two. Each event of a framework ends one. With
 * an agent their probes are reported, and a mutant runs in some of them.
 */
final class Windows {
    private static boolean hasAgent;
    private static int window;
    private static String target;
    private static byte[] mutant;
    private static BitSet mutated = new BitSet();
    private static boolean isMutated;

    private Windows() {}

    static void useAgent() {
        hasAgent = true;
    }

    /**
     * Begins a class, with a mutant if there is one: the class, by its internal name, its file and the windows.
     *
     * @throws Exception the mutant cannot run
     */
    static synchronized void begin(String[] request) throws Exception {
        window = 0;
        mutated = new BitSet();
        if (request.length > 3) {
            target = request[1];
            mutant = Files.readAllBytes(Path.of(request[2]));
            for (String range : request[3].split(",")) {
                String[] ends = range.split("-");
                mutated.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
            // What is refused is so at once.
            enter(true);
            enter(mutated.get(0));
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
            enter(mutated.get(window));
        } catch (Exception | LinkageError refused) {
            Together.report("refused", refused.toString());
        }
    }

    /** Ends the class. */
    static synchronized void end() throws Exception {
        if (hasAgent) {
            report();
            enter(false);
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
        if (withMutant != isMutated) {
            Agent.mutate(target, withMutant ? mutant : null, Windows.class.getClassLoader());
            isMutated = withMutant;
        }
    }
}
