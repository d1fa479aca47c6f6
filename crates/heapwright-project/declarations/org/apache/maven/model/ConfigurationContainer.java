package org.apache.maven.model;

public class ConfigurationContainer {
    public native Object getConfiguration();
}
