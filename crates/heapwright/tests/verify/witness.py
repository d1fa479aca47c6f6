"""Reads a witness by the rules of validators: prints what it says of the program, and its inputs in order."""
import json
import re
import sys

import networkx

# The forms of conditions from which a value can be taken, the first of them that occurs in the text.
VALUE = re.compile(
    r"= (?P<plain>-?\d+|true|false|null)$"
    r'|\w+\.equals\("(?P<text>.*)"\)'
    r'|\w+\.parse(?:Double|Float)\("(?P<number>.*)"\)'
)

graph = networkx.read_graphml(sys.argv[1])
entries = [node for node, data in graph.nodes(data=True) if data.get("isEntryNode")]
violations = [node for node, data in graph.nodes(data=True) if data.get("isViolationNode")]
inputs = []
node = entries[0]
steps = 0
while True:
    followers = list(graph.out_edges(node, data=True))
    if not followers:
        break
    (_, node, data), = followers
    steps += 1
    if "assumption" not in data:
        continue
    stem = data["originFileName"].rsplit("/", 1)[-1].removesuffix(".java")
    assert stem in data["assumption.scope"], data
    found = next(value for value in VALUE.search(data["assumption"]).groups() if value is not None)
    inputs.append([data["originFileName"], data["startline"], found])
print(json.dumps({
    "graph": graph.graph,
    "entries": len(entries),
    "violations": len(violations),
    "ends_in_violation": node in violations,
    "steps": steps,
    "inputs": inputs,
}))
