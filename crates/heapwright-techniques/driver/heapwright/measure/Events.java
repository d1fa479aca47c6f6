package heapwright.measure;

/**
 * What frameworks report, for the host. It stops the run at the beginning of each method and reads the arguments; the methods
 * themselves do nothing.
 */
final class Events {
    static final int PASSED = 0;
    static final int ABORTED = 1;
    static final int FAILED = 2;

    private Events() {}

    /** Whether the host asks for units. */
    static boolean asksForUnits() {
        return false;
    }

    /** Says of which unit the test is that begins next, and whether it may run without those before it. */
    static void unit(String name, boolean runsAlone) {}

    /** A test begins. */
    static void started(String name) {}

    /** The test that began last ends in this way. */
    static void finished(int outcome, String reason) {}

    /** A test or a group of tests is not run. */
    static void skipped(String name, String reason) {}

    /** A group of tests fails as a whole, before, between or behind its tests. */
    static void broken(String name, String reason) {}

    /** An exception as a text, whatever its own methods do. */
    static String text(Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        try {
            return thrown.toString();
        } catch (Throwable unshown) {
            return thrown.getClass().getName();
        }
    }
}
