"""Runs a search on a Ray cluster of three nodes, of which one is lost: PROGRAM JOB VERB ..."""

import sys

import ray
from heapwright_ray import State, run
from ray.cluster_utils import Cluster

program, job, *search = sys.argv[1:]
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
cluster.wait_for_nodes()
ray.init(address=cluster.address, log_to_driver=False)


def progress(state: State) -> None:
    """Reports, and takes a node away as soon as all work."""
    print(state, file=sys.stderr)
    if len(nodes) == 2 and state.running == 3:
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("a node is lost", file=sys.stderr)


code = run(job, search, parts=5, program=program, interval=0.2, progress=progress)
ray.shutdown()
cluster.shutdown()
sys.exit(code)
