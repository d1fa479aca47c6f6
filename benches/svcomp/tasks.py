"""Tasks of the Competition on Software Verification: what they are made of, and their classes."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Name of the property in a summary, by the file that tasks name.
PROPERTIES = {
    "assert_java": "assertions",
    "runtime-exception": "no-runtime-exception",
    "no-deadlock": "no-deadlock",
}


@dataclass(frozen=True)
class Task:
    """A program and a property of it, with the verdict that the task states."""

    name: str
    folder: str
    inputs: tuple[Path, ...]
    property_file: Path
    expected: str


def _items(text: str, key: str) -> list[str]:
    """Items of a list in the task definitions' YAML, or its single value."""
    single = re.search(rf"^{key}:[ \t]*(\S+)[ \t]*$", text, re.MULTILINE)
    if single:
        return [single.group(1).strip("'\"")]
    found = re.search(rf"^{key}:[ \t]*\n((?:[ \t]*-[^\n]*\n|[ \t]*#[^\n]*\n|[ \t]*\n)*)", text, re.MULTILINE)
    lines = found.group(1).splitlines() if found else []
    items = [line.strip()[1:].strip().strip("'\"") for line in lines if line.strip().startswith("-")]
    return items


def tasks_of(root: Path) -> list[Task]:
    """All tasks below a folder, in the order of their names; a property of a program is one."""
    tasks = []
    for file in sorted(root.rglob("*.yml")):
        text = file.read_text(encoding="utf-8")
        inputs = tuple((file.parent / item).resolve() for item in _items(text, "input_files"))
        stated = re.findall(r"property_file:\s*(\S+)\s*\n\s*expected_verdict:\s*(true|false)", text)
        for property_file, expected in stated:
            name = file.relative_to(root).with_suffix("").as_posix()
            tasks.append(
                Task(
                    name if len(stated) == 1 else f"{name}:{Path(property_file).stem}",
                    file.parent.relative_to(root).as_posix(),
                    inputs,
                    (file.parent / property_file).resolve(),
                    expected,
                )
            )
    return tasks


def compile_sources(javac: str, inputs: list[Path] | tuple[Path, ...], classes: Path) -> str | None:
    """Compiles all Java sources below some paths; returns what javac says if it refuses them."""
    sources: list[str] = []
    for path in inputs:
        found = sorted(path.rglob("*.java")) if path.is_dir() else [path]
        sources.extend(str(source) for source in found if source.suffix == ".java")
    if not sources:
        return "there are no Java sources"
    classes.mkdir(parents=True, exist_ok=True)
    command = [javac, "-nowarn", "-g", "-proc:none", "-encoding", "UTF-8", "-d", str(classes)]
    ran = subprocess.run(command + sources, capture_output=True, text=True, check=False)
    return None if ran.returncode == 0 else ran.stderr.strip()
