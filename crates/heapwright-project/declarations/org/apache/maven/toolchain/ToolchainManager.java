package org.apache.maven.toolchain;

import java.util.List;
import java.util.Map;

import org.apache.maven.execution.MavenSession;

public interface ToolchainManager {
    List<Toolchain> getToolchains(MavenSession session, String type, Map<String, String> requirements);
}
