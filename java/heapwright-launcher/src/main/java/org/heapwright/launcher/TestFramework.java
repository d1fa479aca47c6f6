package org.heapwright.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Framework on the class path of tests, for which tests are written. */
enum TestFramework {
    JUNIT_5("5", "org/junit/jupiter/api/Test.class"),
    JUNIT_4("4", "org/junit/Test.class"),
    TESTNG("testng", "org/testng/annotations/Test.class");

    private final String option;
    private final String entry;

    TestFramework(String option, String entry) {
        this.option = option;
        this.entry = entry;
    }

    /** Value of the option {@code --junit}; null if the class path has none of the frameworks. */
    static String option(Project project, Log log) {
        List<Path> path = new ArrayList<>(project.testLibraries());
        path.addAll(project.libraries());
        for (TestFramework framework : values()) {
            if (path.stream().anyMatch(framework::isIn)) {
                return framework.option;
            }
        }
        log.warn("the class path of tests has neither JUnit nor TestNG: tests are written for JUnit 5; add the"
                + " dependency org.junit.jupiter:junit-jupiter to compile them");
        return null;
    }

    private boolean isIn(Path library) {
        if (Files.isDirectory(library)) {
            return Files.isRegularFile(library.resolve(entry));
        }
        try (ZipFile zip = new ZipFile(library.toFile())) {
            return zip.getEntry(entry) != null;
        } catch (IOException e) {
            // The program reports a file that it cannot read, if a class needs it.
            return false;
        }
    }
}
