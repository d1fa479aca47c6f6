package org.heapwright.launcher;

import java.util.Locale;

/** Operating system and processor of the build. */
public final class Platform {
    private Platform() {}

    /**
     * Classifier of the program's artifact, as os-maven-plugin writes it but with {@code macos} and
     * {@code aarch64}: for example {@code linux-x86_64}.
     */
    public static String classifier() {
        return system() + "-" + processor();
    }

    /** File name of the program. */
    public static String programName() {
        return isWindows() ? "heapwright.exe" : "heapwright";
    }

    static boolean isWindows() {
        return system().equals("windows");
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return "windows";
        }
        return name.startsWith("mac") ? "macos" : name.replace(" ", "");
    }

    private static String processor() {
        String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "amd64", "x86_64", "x64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> name;
        };
    }
}
