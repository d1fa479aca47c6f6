package org.eclipse.aether.graph;

import java.util.List;

import org.eclipse.aether.artifact.Artifact;

public interface DependencyNode {
    List<DependencyNode> getChildren();

    Dependency getDependency();

    Artifact getArtifact();
}
