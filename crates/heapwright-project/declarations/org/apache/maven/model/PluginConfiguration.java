package org.apache.maven.model;

public class PluginConfiguration extends PluginContainer {
}
