"""The project's own packages are built and installed as the Dockerfiles do it, without a network.

Third-party packages are those of `.venv`: that the locks install with their hashes is tested in test_ci.py.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ("agents", "backend")
TIMEOUT_S = 300
ENTRY_POINTS = """
import importlib.metadata as metadata, json, sys
found = {}
for name in sys.argv[1:]:
    for point in metadata.distribution(name).entry_points:
        point.load()
        found[point.name] = sys.modules[point.module].__file__
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a Dockerfile: its instructions, continued lines joined."""

    lines: list[str]

    @property
    def copies(self) -> list[tuple[list[str], str]]:
        """Sources from the repository, and their destination."""
        parts = [line.split()[1:] for line in self.lines if line.startswith("COPY ")]
        own = [
            [part for part in arguments if not part.startswith("--")]
            for arguments in parts
            if "--from=" not in arguments[0]
        ]
        return [(arguments[:-1], arguments[-1]) for arguments in own]

    @property
    def workdir(self) -> str:
        """The last WORKDIR; the root without one."""
        return next((line.split()[1] for line in reversed(self.lines) if line.startswith("WORKDIR ")), "/")

    @property
    def own_packages(self) -> list[str]:
        """What the stage installs of this repository."""
        (found,) = re.findall(r"pip install [^&]*--no-build-isolation\s+([^&]*)", " ".join(self.lines))
        return str(found).split()

    def variable(self, name: str) -> str:
        """The value of an ENV instruction."""
        (found,) = re.findall(rf"\b{name}=(\S+)", " ".join(self.lines))
        return str(found)

    def copy_to(self, root: Path) -> Path:
        """Make the files that the stage copies from the repository; returns its folder of work."""
        for sources, target in self.copies:
            for source in sources:
                into = (
                    root / self.workdir.lstrip("/") / target.lstrip("/")
                    if target[0] != "/"
                    else root / target[1:]
                )
                copy(source, into / Path(source).name if target.endswith("/") else into)
        return root / self.workdir.lstrip("/")


def stage(image: str, name: str) -> Stage:
    """The stage of this name of an image's Dockerfile."""
    lines = [line for line in (ROOT / image / "Dockerfile").read_text().splitlines() if line[:1] != "#"]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    start = next(place for place, line in enumerate(joined) if line.split()[-2:] == ["AS", name])
    after = joined[start + 1 :]
    end = next((place for place, line in enumerate(after) if line.startswith("FROM ")), len(after))
    return Stage(after[:end])


def copy(source: str, target: Path) -> None:
    """A file, or a folder's files that git knows or would add."""
    if (ROOT / source).is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, target)
        return
    listed = run(["git", "ls-files", "-co", "--exclude-standard", "-z", source], ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            copy(name, target / Path(name).relative_to(source))


def run(argv: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        argv, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert done.returncode == 0, f"{' '.join(argv)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


@dataclass(frozen=True, slots=True)
class Installed:
    """A virtual environment with the wheels of one Dockerfile."""

    stage: Stage
    root: Path
    python: Path
    names: list[str]

    @property
    def packages(self) -> Path:
        (found,) = (self.python.parents[1] / "lib").glob("python3*/site-packages")
        return found


@pytest.fixture(scope="module", params=IMAGES)
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    root = tmp_path_factory.mktemp(request.param)
    packages = stage(request.param, "packages")
    folder = packages.copy_to(root)
    wheels, scratch = root / "wheels", root / "scratch"
    sources = [str(root / name[1:]) if name[0] == "/" else name for name in packages.own_packages]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run(
        [*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(wheels), *sources],
        folder,
    )
    run([sys.executable, "-m", "venv", "--without-pip", str(scratch)], root)
    made = sorted(map(str, wheels.glob("*.whl")))
    assert len(made) == len(sources)
    python = scratch / "bin" / "python"
    run([*pip, "--python", str(python), "install", "--no-index", "--no-deps", *made], root)
    names = [Path(name).name.split("-")[0] for name in made]
    found = Installed(packages, root, python, names)
    # The .pth files there, which name our sources, do not count: only a site folder's own do.
    (here,) = {path for path in sys.path if path.endswith("site-packages")}
    (found.packages / "third_party.pth").write_text(f"{here}\n")
    yield found
    shutil.rmtree(root)


def test_entry_points_load_from_the_wheels(installed: Installed) -> None:
    found = json.loads(run([str(installed.python), "-c", ENTRY_POINTS, *installed.names], installed.root))
    if "backstay_agent" in installed.names:
        assert {"backstay", "backstay-agent", "backstay-demo", "backstay-lab"} <= set(found)
    for name, file in found.items():
        assert Path(file).is_relative_to(installed.packages), f"{name} is {file}"


def test_wheels_hold_every_file_of_their_sources(installed: Installed) -> None:
    """Templates, site data and py.typed too."""
    for name in installed.stage.own_packages:
        source = ROOT / name.removeprefix("/build/").removeprefix("./") / "src"
        if not source.is_dir():  # The backend: its metadata only.
            continue
        listed = run(["git", "ls-files", "-co", "--exclude-standard", "."], source).splitlines()
        files = [file for file in listed if (source / file).is_file()]
        assert files
        assert [file for file in files if not (installed.packages / file).is_file()] == []


@pytest.mark.parametrize("installed", ["backend"], indirect=True)
def test_the_backend_starts_from_the_folders_of_its_image(installed: Installed) -> None:
    """`manage.py check` with the image's PYTHONPATH: no module comes from this repository's environment."""
    backend = stage("backend", "backend")
    folder = backend.copy_to(installed.root)
    path = ":".join(f"{installed.root}{part}" for part in backend.variable("PYTHONPATH").split(":"))
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": path,
        "DJANGO_SETTINGS_MODULE": backend.variable("DJANGO_SETTINGS_MODULE"),
        "BACKSTAY_SECRET_KEYS": "of-this-test-only-0123456789abcdefghijklmnopqrstuvwxyz",
    }
    python = str(installed.python)
    assert "no issues" in run([python, "manage.py", "check"], folder, environment)
    names = "config.asgi, config.celery, backstay_wire, backstay_gatedconf"
    code = f"import {names}; print(*(module.__file__ for module in ({names})), sep='\\n')"
    for file in run([python, "-c", code], folder, environment).splitlines():
        assert Path(file).is_relative_to(installed.root)
