package org.eclipse.aether;

import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;

public interface RepositorySystem {
    ArtifactResult resolveArtifact(RepositorySystemSession session, ArtifactRequest request)
        throws ArtifactResolutionException;
}
