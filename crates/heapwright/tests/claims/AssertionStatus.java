package claims;

/** A switch that the command line of a JVM sets. */
public final class AssertionStatus {
    private static final boolean ON = AssertionStatus.class.desiredAssertionStatus();

    private AssertionStatus() {
    }

    public static int level() {
        if (ON) {
            return 1;
        }
        return 0;
    }
}
