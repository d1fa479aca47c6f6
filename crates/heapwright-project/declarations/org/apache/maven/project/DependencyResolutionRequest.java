package org.apache.maven.project;

import org.eclipse.aether.graph.DependencyFilter;

public interface DependencyResolutionRequest {
    DependencyResolutionRequest setResolutionFilter(DependencyFilter filter);
}
