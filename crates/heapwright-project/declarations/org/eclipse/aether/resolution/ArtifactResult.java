package org.eclipse.aether.resolution;

import org.eclipse.aether.artifact.Artifact;

public final class ArtifactResult {
    public native Artifact getArtifact();
}
