package org.apache.maven.model;

import java.util.List;

public class PluginContainer {
    public native List<Plugin> getPlugins();

    public native void setPlugins(List<Plugin> plugins);

    public native void flushPluginMap();
}
