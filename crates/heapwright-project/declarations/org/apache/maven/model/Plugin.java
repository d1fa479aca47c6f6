package org.apache.maven.model;

public class Plugin extends ConfigurationContainer {
}
