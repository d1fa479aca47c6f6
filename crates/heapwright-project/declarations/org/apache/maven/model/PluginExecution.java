package org.apache.maven.model;

public class PluginExecution extends ConfigurationContainer {
    public native String getId();

    public native String getPhase();

    public native java.util.List<String> getGoals();
}
