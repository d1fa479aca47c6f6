"""Software bill of materials in CycloneDX's JSON: what the program is built of, and Z3.

usage: sbom.py METADATA Z3_VERSION

METADATA is a file with the output of `cargo metadata`. The bill is printed, and valid by CycloneDX's schema.
"""

import json
import sys

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from packages import dependencies


def component(package, kind=ComponentType.LIBRARY):
    """Component of a package of Cargo."""
    licence = (package.get("license") or "").replace("/", " OR ")
    of_registry = package["source"] is not None
    name, version = package["name"], package["version"]
    return Component(
        type=kind,
        name=name,
        version=version,
        bom_ref=f"{name}@{version}",
        purl=PackageURL("cargo", name=name, version=version) if of_registry else None,
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
    )


def main(metadata_file, z3_version):
    with open(metadata_file, encoding="utf-8") as file:
        metadata = json.load(file)
    packages = dependencies(metadata)
    components = {id: component(package) for id, (package, _) in packages.items()}
    z3 = Component(
        type=ComponentType.LIBRARY,
        name="z3-solver",
        version=z3_version,
        bom_ref=f"z3-solver@{z3_version}",
        purl=PackageURL("pypi", name="z3-solver", version=z3_version),
        licenses=[LicenseFactory().make_from_string("MIT")],
    )
    bom = Bom()
    for id, (package, needed) in packages.items():
        if package["name"] == "heapwright":
            program = component(package, ComponentType.APPLICATION)
            components[id] = program
            bom.metadata.component = program
        else:
            bom.components.add(components[id])
    bom.components.add(z3)
    for id, (package, needed) in packages.items():
        further = [z3] if package["name"] == "heapwright-solve" else []
        bom.register_dependency(components[id], [components[other] for other in needed] + further)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error is not None:
        sys.exit(f"the bill of materials breaks CycloneDX's schema: {error}")
    print(text)


main(*sys.argv[1:])
