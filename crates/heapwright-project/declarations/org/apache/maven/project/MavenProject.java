package org.apache.maven.project;

import java.io.File;
import java.util.List;
import java.util.Properties;

import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.eclipse.aether.repository.RemoteRepository;

public class MavenProject {
    public native String getGroupId();

    public native String getArtifactId();

    public native String getVersion();

    public native File getBasedir();

    public native File getFile();

    public native MavenProject getParent();

    public native Build getBuild();

    public native Plugin getPlugin(String key);

    public native Properties getProperties();

    public native List<RemoteRepository> getRemoteProjectRepositories();

    public native List<String> getCompileSourceRoots();

    public native List<String> getTestCompileSourceRoots();
}
