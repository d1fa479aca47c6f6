package org.apache.maven.model;

public class BuildBase extends PluginConfiguration {
}
