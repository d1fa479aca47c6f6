package heapwright.measure;

import heapwright.trial.Together;

/** What the driver of the frameworks reports, on a virtual machine of its own; on the engine another class has this name. */
final class Events {
    static final int PASSED = 0;
    static final int ABORTED = 1;
    static final int FAILED = 2;

    private static String unit = "";
    private static boolean runsAlone;

    private Events() {}

    static boolean asksForUnits() {
        return true;
    }

    static void unit(String name, boolean alone) {
        unit = Together.isLine(name) ? name : "";
        runsAlone = alone;
    }

    static void started(String name) {
        Together.next(false);
        Together.reportUnit(unit, runsAlone);
        Together.report("started", name);
        unit = "";
    }

    static void finished(int outcome, String reason) {
        Together.next(outcome == FAILED);
        Together.report("finished", Integer.toString(outcome), reason);
    }

    static void skipped(String name, String reason) {
        Together.next(false);
        Together.report("skipped", name, reason == null ? "" : reason);
    }

    static void broken(String name, String reason) {
        Together.next(true);
        Together.report("broken", name, reason);
    }

    static String text(Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        try {
            return String.valueOf(thrown);
        } catch (Throwable unshown) {
            return thrown.getClass().getName();
        }
    }
}
