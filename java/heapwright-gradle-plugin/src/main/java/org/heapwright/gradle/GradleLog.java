package org.heapwright.gradle;

import org.gradle.api.logging.Logger;
import org.heapwright.launcher.Log;

/** Gradle's log. */
record GradleLog(Logger logger) implements Log {
    @Override
    public void info(String line) {
        logger.lifecycle(line);
    }

    @Override
    public void warn(String line) {
        logger.warn(line);
    }
}
