package org.heapwright.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * Results that fail a build.
 *
 * @param onCounterexample whether a counterexample, a failing behaviour, a failing test or a difference
 *     does
 * @param onPartial whether a result does that a limit has cut
 * @param mutationThreshold least mutation score in per cent, for measured tests
 * @param coverageThreshold least coverage of lines in per cent, for measured tests
 */
public record FailurePolicy(
        boolean onCounterexample, boolean onPartial, int mutationThreshold, int coverageThreshold) {
    /** Maximum number of findings that a message names. */
    private static final int SHOWN = 10;

    /** Reasons to fail the build, a text each. */
    public List<String> reasons(List<Result> results) {
        List<String> reasons = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (Result result : results) {
            Summary summary = result.summary();
            if (summary != null && result.outcome() == Outcome.FOUND) {
                List<String> findings = summary.findings();
                found.addAll(findings.isEmpty() ? List.of(summary.line()) : findings);
            }
            if (onPartial && isCut(result)) {
                reasons.add("the result is partial: " + (summary == null ? result.name() : summary.line()));
            }
            if (summary != null && summary.verb().equals(Goal.MEASURE.verb())) {
                below(summary, "mutation score", summary.mutationScore(), "mutationThreshold", mutationThreshold, reasons);
                below(summary, "coverage of lines", summary.lineCoverage(), "coverageThreshold", coverageThreshold, reasons);
            }
        }
        if (onCounterexample && !found.isEmpty()) {
            int shown = Math.min(found.size(), SHOWN);
            String more = shown < found.size() ? "\n  and " + (found.size() - shown) + " more" : "";
            reasons.add(0, String.join("\n  ", found.subList(0, shown)) + more);
        }
        return reasons;
    }

    /** Whether a limit has cut a result. Generated tests are done all the same. */
    private static boolean isCut(Result result) {
        Summary summary = result.summary();
        boolean isOpen = summary != null
                && summary.verb().equals(Goal.GENERATE.verb())
                && !"complete".equals(summary.status());
        return result.outcome() == Outcome.PARTIAL || result.outcome() == Outcome.DONE && isOpen;
    }

    /** A lower bound that reaches a threshold is enough; of one that does not, it is not known whether the share does. */
    private static void below(
            Summary summary, String what, double share, String setting, int threshold, List<String> reasons) {
        if (share < threshold) {
            boolean isBound = summary.isLowerBound();
            reasons.add("the " + what + " is " + (isBound ? "at least " : "") + Summary.perCent(share)
                    + (isBound ? ", and this bound is below the " : ", below the ") + setting + " of " + threshold + " %"
                    + (isBound ? ": not all tests were run to their end, on all mutants (" + summary.line() + ")" : ""));
        }
    }
}
