package org.heapwright.launcher;

import java.nio.file.Path;
import java.util.List;

/**
 * Project under test, as a build describes it.
 *
 * @param folder folder of the project, in which the program runs and looks for heapwright.toml
 * @param classes folders of the project's compiled classes
 * @param libraries what the classes need
 * @param testClasses folders of the project's compiled tests
 * @param testLibraries what only tests need
 * @param sources folders of the sources, those of tests aside
 * @param jdk home of the JDK whose library is run
 */
public record Project(
        Path folder,
        List<Path> classes,
        List<Path> libraries,
        List<Path> testClasses,
        List<Path> testLibraries,
        List<Path> sources,
        Path jdk) {
    public Project {
        classes = List.copyOf(classes);
        libraries = List.copyOf(libraries);
        testClasses = List.copyOf(testClasses);
        testLibraries = List.copyOf(testLibraries);
        sources = List.copyOf(sources);
    }
}
