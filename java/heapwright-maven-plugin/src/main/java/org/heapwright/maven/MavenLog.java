package org.heapwright.maven;

import org.heapwright.launcher.Log;

/** Maven's log. */
record MavenLog(org.apache.maven.plugin.logging.Log log) implements Log {
    @Override
    public void info(String line) {
        log.info(line);
    }

    @Override
    public void warn(String line) {
        log.warn(line);
    }
}
