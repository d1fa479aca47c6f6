package org.eclipse.aether.graph;

import org.eclipse.aether.artifact.Artifact;

public final class Dependency {
    public native Artifact getArtifact();

    public native String getScope();
}
