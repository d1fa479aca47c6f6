"""Packages of Cargo that the program is built of."""


def dependencies(metadata):
    """Maps the id of each package to the package and the ids of those that it needs at run time."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    program = next(id for id, package in packages.items() if package["name"] == "heapwright")
    found, left = {}, [program]
    while left:
        id = left.pop()
        if id in found:
            continue
        needed = [
            dependency["pkg"]
            for dependency in nodes[id]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
        found[id] = packages[id], needed
        left.extend(needed)
    return dict(sorted(found.items(), key=lambda entry: (entry[1][0]["name"], entry[0])))
