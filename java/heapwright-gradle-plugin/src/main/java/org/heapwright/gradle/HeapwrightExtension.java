package org.heapwright.gradle;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;

/** Settings of a project, which all tasks of Heapwright have unless they set their own. */
public interface HeapwrightExtension {
    /**
     * The program {@code heapwright}. By default it is one on the PATH if it has the version of this
     * plugin, else that of the artifact {@code org.heapwright:heapwright-native}.
     */
    RegularFileProperty getExecutable();

    /** Folder in which the artifact is unpacked. By default {@code .heapwright/native} in the user's home. */
    DirectoryProperty getCacheDirectory();

    /**
     * Classes under test. As with PIT, {@code *} stands for any characters, so that {@code com.acme.*} are all
     * classes of the package and of those below it. By default all classes of the project.
     */
    ListProperty<String> getTargetClasses();

    /** Classes that are left out, by the same patterns. */
    ListProperty<String> getExcludedClasses();

    /** Whether a pattern of targetClasses that fits no class is an error. By default it is. */
    Property<Boolean> getFailIfNoClasses();

    /** Stops after this time, as {@code 500ms}, {@code 30s} or {@code 2m}. */
    Property<String> getTimeLimit();

    /** Limit of memory, as {@code 512m} or {@code 2g}. By default 2g. */
    Property<String> getMaxMemory();

    /** Number of workers. By default one for each core. */
    Property<Integer> getThreads();

    /** Whether a partial result is a failure. By default it is none. */
    Property<Boolean> getFailOnPartial();

    /** Folder of the summaries, in which each task has one of its own. By default {@code reports/heapwright}. */
    DirectoryProperty getReportsDirectory();

    /**
     * Formats of the reports of the tasks that generate, check and measure: {@code html}, {@code sarif}, {@code junit},
     * {@code jacoco}, {@code cobertura}, {@code mutations}, {@code markdown} or {@code json}. They are in the folder of
     * the task's summaries. By default there are none.
     */
    ListProperty<String> getOutputFormats();

    /**
     * Folder that tests are written to. By default {@code src/test/java}, where they are kept; an edited file is
     * never overwritten. The folder is one of the test sources, wherever it is.
     */
    DirectoryProperty getOutputDirectory();

    /**
     * Operators of mutants: {@code none}, {@code defaults}, {@code stronger}, {@code all} or {@code logic}. By default
     * PIT's defaults.
     */
    Property<String> getMutators();

    /**
     * Framework of the tests that are written: {@code 5}, {@code 4} or {@code testng}. By default the one on the class
     * path of tests.
     */
    Property<String> getJunit();

    /** Name of the invariants. By default one of those that the program knows. */
    Property<String> getInvariant();

    /** Bounds of structures: so many objects of a class, and integers from 0 to one less. By default 3. */
    Property<Integer> getScope();
}
