package org.eclipse.aether.artifact;

import java.io.File;

public final class DefaultArtifact implements Artifact {
    public DefaultArtifact(String group, String artifact, String extension, String version) {
    }

    @Override
    public native String getGroupId();

    @Override
    public native String getArtifactId();

    @Override
    public native String getBaseVersion();

    @Override
    public native String getClassifier();

    @Override
    public native String getExtension();

    @Override
    public native String getProperty(String key, String fallback);

    @Override
    public native File getFile();
}
