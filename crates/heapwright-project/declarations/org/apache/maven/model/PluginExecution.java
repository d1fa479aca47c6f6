package org.apache.maven.model;

public class PluginExecution extends ConfigurationContainer {
}
