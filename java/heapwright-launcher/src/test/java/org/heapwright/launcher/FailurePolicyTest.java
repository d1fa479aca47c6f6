package org.heapwright.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {
    private static List<String> reasons(int threshold, boolean isLowerBound) throws LauncherException {
        Summary summary = Summary.of("{'verb': 'measure', 'classes': ['a.B'], 'status': 'partial', 'mutants': 4, 'killed': 2, "
                + "'mutants_untried': 1, 'tests_passed': 3, 'tests_failed': 0, 'tests_not_run': 1, 'lines_total': 0, "
                + "'lower_bound': " + isLowerBound + "}");
        Outcome outcome = isLowerBound ? Outcome.PARTIAL : Outcome.DONE;
        return new FailurePolicy(true, false, threshold, 0).reasons(List.of(new Result("measure", outcome, summary)));
    }

    @Test
    void aLowerBoundThatReachesAThresholdIsEnough() throws LauncherException {
        assertEquals(List.of(), reasons(50, true));
        assertEquals(List.of(), reasons(50, false));
    }

    @Test
    void aLowerBoundBelowAThresholdSaysThatItIsOne() throws LauncherException {
        assertEquals(List.of("the mutation score is 50.0 %, below the mutationThreshold of 51 %"), reasons(51, false));
        assertEquals(
                List.of("the mutation score is at least 50.0 %, and this bound is below the mutationThreshold of 51 %: not all "
                        + "tests were run to their end, on all mutants (a.B: 3 tests passed, 0 failed, 1 not run, at least 0 "
                        + "of 0 lines, 0 of 0 branches, 2 of 4 mutants killed (1 not tried); partial)"),
                reasons(51, true));
    }
}
