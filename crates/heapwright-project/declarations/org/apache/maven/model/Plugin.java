package org.apache.maven.model;

import java.util.List;

public class Plugin extends ConfigurationContainer {
    public native String getGroupId();

    public native String getArtifactId();

    public native String getVersion();

    public native List<PluginExecution> getExecutions();
}
