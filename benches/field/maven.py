"""Jars of Maven's central repository, fetched once into a folder that is complete or absent."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

JUNIT = ["org.junit.platform:junit-platform-console-standalone:1.13.4",
         "junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"]
JACOCO = ["org.jacoco:org.jacoco.agent:0.8.14:jar:runtime",
          "org.jacoco:org.jacoco.cli:0.8.14:jar:nodeps"]
PIT = ["org.pitest:pitest-command-line:1.20.3", "org.pitest:pitest-junit5-plugin:1.2.3"]

PROJECT = """<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId>
<version>1</version><dependencies>{}</dependencies></project>"""
DEPENDENCY = """<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
<classifier>{}</classifier></dependency>"""


def fetched(folder: Path, name: str, coordinates: list[str]) -> list[Path]:
    """Jars of the coordinates `group:artifact:version[:jar:classifier]` in order, followed by
    their run-time dependencies, in `folder/name`."""
    done = folder / name
    if not done.is_dir():
        fresh = folder / (name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        parts = [(one.split(":") + ["jar", ""])[:5] if one.count(":") == 2 else one.split(":")
                 for one in coordinates]
        dependencies = "".join(DEPENDENCY.format(*part[:3], part[4]) for part in parts)
        (fresh / "pom.xml").write_text(PROJECT.format(dependencies))
        ended = subprocess.run(["mvn", "-q", "-B", "dependency:copy-dependencies",
                                "-DincludeScope=runtime", "-f", str(fresh / "pom.xml"),
                                f"-DoutputDirectory={fresh}"], capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"failed to fetch {', '.join(coordinates)}:\n{ended.stdout}")
        os.rename(fresh, done)
    own = [done / file_name(one) for one in coordinates]
    return own + sorted(jar for jar in done.glob("*.jar") if jar not in own)


def file_name(coordinates: str) -> str:
    """File name of a jar: `junit-4.13.2.jar` for `junit:junit:4.13.2`."""
    return "-".join(part for part in coordinates.split(":")[1:] if part != "jar") + ".jar"
