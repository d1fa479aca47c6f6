#!/usr/bin/env python3
"""Builds Heapwright for this machine and packs it: an archive, a wheel for PyPI, packages for npm.

usage: release.py [--program FILE] [--output DIR]

All packages go to the output folder, `target/packages` by default, with a bill of materials and checksums of whatever is
there. The main package for npm names the platforms whose packages are in the folder, so that a release for several
platforms is made by one run on each, into the same folder.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from packages import dependencies

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"

SUMMARY = "Tests for Java code that builds and walks object structures"
LICENCE = "MIT OR Apache-2.0"
KEYWORDS = ["java", "junit", "tests", "mutation", "symbolic-execution"]
# npm's names of the platform and the processor, PyPI's name of both, an executable's suffix, Z3's library.
PLATFORMS = {
    "x86_64-unknown-linux-gnu": ("linux", "x64", "manylinux_{glibc}_x86_64", "", "libz3.so"),
    "aarch64-unknown-linux-gnu": ("linux", "arm64", "manylinux_{glibc}_aarch64", "", "libz3.so"),
    "x86_64-apple-darwin": ("darwin", "x64", "macosx_13_0_x86_64", "", "libz3.dylib"),
    "aarch64-apple-darwin": ("darwin", "arm64", "macosx_13_0_arm64", "", "libz3.dylib"),
    "x86_64-pc-windows-msvc": ("win32", "x64", "win_amd64", ".exe", "libz3.dll"),
}
COMPLETIONS = {
    "bash": "share/bash-completion/completions/heapwright",
    "zsh": "share/zsh/site-functions/_heapwright",
    "fish": "share/fish/vendor_completions.d/heapwright.fish",
}


def run(*command, **options):
    """Runs a command; returns its standard output."""
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE, **options)
    if result.returncode != 0:
        sys.exit(f"failed with code {result.returncode}: {' '.join(words)}")
    return result.stdout.decode()


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def copy(source, file):
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, file)


def fresh(folder):
    """Empties a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Release:
    """Release for one platform."""

    def __init__(self, options):
        self.triple = run("rustc", "-vV").split("host: ")[1].split()[0]
        if self.triple not in PLATFORMS:
            sys.exit(f"there are no packages for {self.triple}: it is none of {', '.join(PLATFORMS)}")
        self.system, self.processor, self.tag, self.suffix, self.library = PLATFORMS[self.triple]
        self.program = options.program and Path(options.program)
        metadata = run(
            "cargo", "metadata", "--locked", "--format-version=1", "--features=heapwright/network",
            f"--filter-platform={self.triple}", cwd=ROOT,
        )
        self.metadata = json.loads(metadata)
        program = next(p for p in self.metadata["packages"] if p["name"] == "heapwright")
        self.version = program["version"]
        self.name = f"heapwright-{self.version}"
        self.target = Path(self.metadata["target_directory"])
        self.output = Path(options.output or self.target / "packages").resolve()
        self.output.mkdir(parents=True, exist_ok=True)
        self.work = fresh(self.target / "packing")
        # Contents of all packages, laid out as below a prefix.
        self.prefix = self.work / "prefix"

    def build(self):
        """Builds the program unless it is given, and lays out what belongs to it below a prefix."""
        if self.program is None:
            command = ["cargo", "build", "--locked", "-p", "heapwright", "--features", "network"]
            run(*command, "--profile", "dist", cwd=ROOT)
            self.program = self.target / "dist" / f"heapwright{self.suffix}"
        program = self.prefix / "bin" / f"heapwright{self.suffix}"
        copy(self.program, program)
        libraries = list(self.program.parent.parent.glob(f"z3-*/{self.library}"))
        if len(libraries) != 1:
            sys.exit(f"a release has Z3's library, which the build fetches with pip: found {libraries}")
        copy(libraries[0], self.prefix / "lib/heapwright" / self.library)
        self.z3_version = libraries[0].parent.name.removeprefix("z3-")
        run(program, "man", "-o", self.prefix / "share/man/man1")
        for shell, file in COMPLETIONS.items():
            write(self.prefix / file, run(program, "completions", shell))

    def glibc(self):
        """Newest version of glibc that the program and Z3's library name, as 2_34."""
        files = [self.prefix / "bin/heapwright", self.prefix / "lib/heapwright" / self.library]
        text = b"".join(file.read_bytes() for file in files)
        versions = [int(version) for version in re.findall(rb"GLIBC_2\.(\d+)", text)]
        return f"2_{max(versions)}"

    def licences(self):
        """Licence files by name: our own, Z3's, and those of all crates in one."""
        texts = {}
        for package, _ in dependencies(self.metadata).values():
            folder = Path(package["manifest_path"]).parent
            if package["source"] is None:
                continue
            names = ("LICEN", "COPYING", "NOTICE", "UNLICENSE")
            for file in sorted(folder.iterdir()):
                if file.is_file() and file.name.upper().startswith(names):
                    text = file.read_text(encoding="utf-8", errors="replace").strip()
                    label = f"{package['name']} {package['version']}"
                    texts.setdefault(text, []).append(label)
        parts = [", ".join(dict.fromkeys(of)) + ":\n\n" + text for text, of in texts.items()]
        own = {name: (ROOT / name).read_text() for name in ("LICENSE-APACHE", "LICENSE-MIT")}
        own["LICENSE-Z3"] = (DIST / "LICENSE-Z3").read_text()
        own["LICENSES-THIRD-PARTY"] = ("\n\n" + "=" * 80 + "\n\n").join(parts) + "\n"
        return own

    def archive(self):
        """Writes the archive, the same for the same contents."""
        top = f"{self.name}-{self.triple}"
        files = {file.relative_to(self.prefix): file for file in self.prefix.rglob("*") if file.is_file()}
        packed = {str(name): (file.read_bytes(), file.stat().st_mode) for name, file in files.items()}
        packed |= {name: (text.encode(), 0o644) for name, text in self.licences().items()}
        packed["README.md"] = (DIST / "README.md").read_bytes(), 0o644
        with open(self.output / f"{top}.tar.gz", "wb") as file:
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0) as stream:
                with tarfile.open(fileobj=stream, mode="w") as archive:
                    for name, (contents, mode) in sorted(packed.items()):
                        entry = tarfile.TarInfo(f"{top}/{name}")
                        entry.size = len(contents)
                        entry.mode = 0o755 if mode & 0o100 else 0o644
                        archive.addfile(entry, io.BytesIO(contents))

    def run_tool(self, *arguments):
        """Runs Python with the tools of the requirements, which are installed once; returns what it prints."""
        folder = self.target / "release-packages"
        wanted = (DIST / "requirements.txt").read_text()
        done = folder / "requirements.txt"
        if not done.exists() or done.read_text() != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            run(
                sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--no-warn-script-location", "--target", folder, "--requirement", DIST / "requirements.txt",
            )
            write(done, wanted)
        return run(sys.executable, *arguments, env=os.environ | {"PYTHONPATH": str(folder)})

    def wheel(self):
        """Writes the wheel. Its data go below the prefix of the environment, next to `bin`."""
        folder = self.work / "wheel"
        data = folder / f"{self.name}.data"
        shutil.copytree(self.prefix / "bin", data / "scripts")
        for part in ("lib", "share"):
            shutil.copytree(self.prefix / part, data / "data" / part)
        info = folder / f"{self.name}.dist-info"
        tag = self.tag.format(glibc=self.glibc()) if "{glibc}" in self.tag else self.tag
        write(info / "WHEEL", f"Wheel-Version: 1.0\nGenerator: heapwright\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n")
        licences = self.licences()
        for name, text in licences.items():
            write(info / "licenses" / name, text)
        head = {
            "Metadata-Version": ["2.4"], "Name": ["heapwright"], "Version": [self.version],
            "Summary": [SUMMARY], "Keywords": [",".join(KEYWORDS)], "License-Expression": [LICENCE],
            "License-File": licences, "Requires-Python": [">=3.8"],
            "Description-Content-Type": ["text/markdown"],
        }
        lines = [f"{key}: {value}\n" for key, values in head.items() for value in values]
        write(info / "METADATA", "".join(lines) + "\n" + (DIST / "README.md").read_text())
        self.run_tool("-m", "wheel", "pack", folder, "--dest-dir", self.output)

    def npm(self):
        """Writes the package of the platform, and the main package of all platforms in the folder."""
        name = f"@heapwright/{self.system}-{self.processor}"
        folder = self.work / "npm" / f"{self.system}-{self.processor}"
        shutil.copytree(self.prefix, folder)
        own = {
            "name": name, "version": self.version, "license": LICENCE,
            "description": f"Heapwright for {self.system} on {self.processor}",
            "os": [self.system], "cpu": [self.processor],
        }
        if self.system == "linux":
            own["libc"] = ["glibc"]
        self.npm_pack(folder, own)
        # npm writes @heapwright/linux-x64 as heapwright-linux-x64.
        packed = self.output.glob(f"heapwright-*-*-{self.version}.tgz")
        platforms = [file.name.removesuffix(f"-{self.version}.tgz").removeprefix("heapwright-") for file in packed]
        folder = self.work / "npm/heapwright"
        copy(DIST / "npm/heapwright.js", folder / "bin/heapwright.js")
        main = {
            "name": "heapwright", "version": self.version, "license": LICENCE,
            "description": SUMMARY, "keywords": KEYWORDS,
            "bin": {"heapwright": "bin/heapwright.js"},
            "engines": {"node": ">=16"},
            "optionalDependencies": {f"@heapwright/{platform}": self.version for platform in sorted(platforms)},
        }
        self.npm_pack(folder, main)

    def npm_pack(self, folder, package):
        write(folder / "package.json", json.dumps(package, indent=2) + "\n")
        copy(DIST / "README.md", folder / "README.md")
        for name, text in self.licences().items():
            write(folder / name, text)
        npm = shutil.which("npm")
        if npm is None:
            sys.exit("packages for npm are packed by npm: install it so that `npm` is on the PATH")
        run(npm, "pack", "--silent", "--pack-destination", self.output, cwd=folder)

    def bill_of_materials(self):
        metadata = self.work / "metadata.json"
        write(metadata, json.dumps(self.metadata))
        bill = self.run_tool(DIST / "sbom.py", metadata, self.z3_version)
        write(self.output / f"{self.name}.cdx.json", bill)

    def checksums(self):
        files = sorted(file for file in self.output.iterdir() if file.name != "SHA256SUMS")
        sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
        write(self.output / "SHA256SUMS", "".join(sums))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", help="program to pack, in a folder of a target folder [default: it is built]")
    parser.add_argument("--output", help="folder for the packages [default: target/packages]")
    release = Release(parser.parse_args())
    release.build()
    release.archive()
    release.wheel()
    release.npm()
    release.bill_of_materials()
    release.checksums()
    for file in sorted(release.output.iterdir()):
        print(f"{file.stat().st_size:>12,}  {file.name}")


main()
