"""`make check`: style, types, import rules, generated files, locks, hygiene; one line each with its duration.

Two checks run at a time. Only the output of failed checks is printed. No file is changed: generated files are
written elsewhere and compared.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
FRONTEND = ROOT / "frontend"
ANNOTATIONS = ROOT / ".ci" / "annotations.importlinter"
TIMEOUT_S = 600
AT_ONCE = 2

# Spelt so that the patterns do not match this file.
REGISTRIES = re.compile(
    r"\b(pypi\.or[g]|python[h]osted\.or[g]|npmjs\.(or[g]|co[m])|yarnpkg\.co[m]|npmmirror\.co[m]"
    r"|deb\.debia[n]\.org)"
)
MACHINE_PATHS = re.compile(r"/wor[k]/|/hom[e]/[a-z]\w*/|/Use[r]s/[a-z]\w*/|/roo[t]/\.(?!ssh/)")
CONFLICTS = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a check passed, and its output."""

    held: bool
    output: str = ""


Check = Callable[[], Outcome]


def environment(**more: str) -> dict[str, str]:
    """Our environment with the project's programs first."""
    return {**os.environ, "PATH": f"{BIN}:{os.environ.get('PATH', os.defpath)}", **more}


def command(*argv: str, folder: Path = ROOT, **more: str) -> Outcome:
    """Run a program; the check passed if its exit status is 0."""
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=environment(**more),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(False, f"{argv[0]} did not end within {TIMEOUT_S} s")
    except FileNotFoundError as error:
        return Outcome(False, str(error))
    return Outcome(done.returncode == 0, done.stdout + done.stderr)


def program(*argv: str, folder: Path = ROOT, **more: str) -> Check:
    """A check that a program's exit status is 0."""
    return lambda: command(*argv, folder=folder, **more)


def same(made: Path, kept: Path) -> Outcome:
    """Whether a generated file equals the one in the repository."""
    if kept.is_file() and made.read_bytes() == kept.read_bytes():
        return Outcome(True)
    return Outcome(False, f"{kept.relative_to(ROOT)} is stale; run make gen-api and commit what changed")


def openapi_is_current() -> Outcome:
    """The exported document matches the code."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "openapi.json"
        python = str(BIN / "python")
        backend = ROOT / "backend"
        done = command(python, "manage.py", "export_openapi", str(made), folder=backend, BACKSTAY_DEBUG="1")
        return same(made, backend / "openapi.json") if done.held else done


def cli_models_are_current() -> Outcome:
    """The command line's models and number formats match the document."""
    kept = ROOT / "agents" / "cli" / "src" / "backstay_cli"
    with tempfile.TemporaryDirectory() as folder:
        done = command(str(BIN / "python"), ".ci/cli_models.py", folder)
        if not done.held:
            return done
        compared = [same(Path(folder) / name, kept / name) for name in ("models.py", "spec.json")]
        return next((outcome for outcome in compared if not outcome.held), compared[0])


def tracked_files() -> list[Path]:
    """Every tracked file that still exists."""
    listed = command("git", "ls-files", "-z").output.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def hygiene() -> Outcome:
    """No tracked text file contains a registry's host, a machine-specific path or a conflict marker."""
    found = []
    here = re.compile(re.escape(f"{ROOT}/"))
    rules = {"a registry's host": REGISTRIES, "a machine's path": MACHINE_PATHS, "this machine's path": here}
    for path in tracked_files():
        raw = path.read_bytes()
        if b"\0" in raw:
            continue
        text = raw.decode(errors="replace")
        for what, pattern in (rules | {"a conflict marker": CONFLICTS}).items():
            if match := pattern.search(text):
                number = text.count("\n", 0, match.start()) + 1
                found.append(f"{path.relative_to(ROOT)}:{number}: {what}: {match[0]}")
    return Outcome(not found, "\n".join(found))


def shell_scripts() -> Outcome:
    """shellcheck, if installed."""
    if shutil.which("shellcheck") is None:
        return Outcome(True)
    return command("shellcheck", *SCRIPTS)


def compose_parses() -> Outcome:
    """docker-compose.yml is valid YAML, and every name used by its services is defined."""
    try:
        compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    except (OSError, yaml.YAMLError) as error:
        return Outcome(False, str(error))
    services, wrong = compose["services"], []
    for name, service in services.items():
        depends = service.get("depends_on", {})
        wrong += [
            f"{name} depends on {other}, which is not defined" for other in depends if other not in services
        ]
        for secret in service.get("secrets", []):
            if secret not in compose.get("secrets", {}):
                wrong.append(f"{name} uses secret {secret}, which is not defined")
        if (build := service.get("build")) and not (ROOT / build["dockerfile"]).is_file():
            wrong.append(f"{name} is built from {build['dockerfile']}, which is not there")
    return Outcome(not wrong, "\n".join(wrong))


SCRIPTS = (".ci/setup", ".ci/run", ".ci/compose-secrets", *(str(path) for path in ROOT.glob("*/deploy/*")))
PYTHON = str(BIN / "python")
PACKAGES = (
    "backend",
    "agents/wire/src",
    "agents/gatedconf",
    "agents/agent",
    "agents/lab",
    "agents/cli",
    "agents/bench",
    "agents/testing",
)
CHECKS: dict[str, Check] = {
    "types": program("mypy", *PACKAGES),
    "frontend": program("npm", "run", "--silent", "check", folder=FRONTEND),
    "types of .ci": program("mypy", *(str(path) for path in sorted((ROOT / ".ci").glob("*.py")))),
    "style": program("ruff", "check", "--quiet", "."),
    "format": program("ruff", "format", "--check", "."),
    "imports": program("lint-imports", "--no-cache"),
    "imports of rows": program(
        "lint-imports", "--no-cache", "--config", str(ANNOTATIONS), folder=ROOT / "backend"
    ),
    "names": program(PYTHON, ".ci/names.py"),
    "openapi.json": openapi_is_current,
    "models.py": cli_models_are_current,
    "schema.d.ts": program("node", "scripts/gen-api.mjs", "--check", folder=FRONTEND),
    "migrations": program(
        PYTHON,
        "manage.py",
        "makemigrations",
        "--check",
        "--dry-run",
        folder=ROOT / "backend",
        BACKSTAY_DEBUG="1",
    ),
    "locks": program(PYTHON, ".ci/locks.py", "check"),
    "hygiene": hygiene,
    "shell": shell_scripts,
    "compose": compose_parses,
}
"""Slowest first, so that the two workers end at about the same time."""


def timed(check: Check) -> tuple[Outcome, float]:
    """The outcome and the duration in seconds."""
    began = time.monotonic()
    return check(), time.monotonic() - began


def report(name: str, future: Future[tuple[Outcome, float]]) -> bool:
    """Print one check's line, and its output if it failed."""
    outcome, seconds = future.result()
    print(f"{'ok  ' if outcome.held else 'FAIL'}  {name:<14} {seconds:5.1f} s", flush=True)
    if not outcome.held:
        print("\n".join(f"      {line}" for line in outcome.output.strip().splitlines()), flush=True)
    return outcome.held


def main() -> int:
    """Run every check; returns 1 if one failed."""
    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = {name: pool.submit(timed, check) for name, check in CHECKS.items()}
        failed = [name for name, future in futures.items() if not report(name, future)]
    verdict = f"failed: {', '.join(failed)}" if failed else "all checks passed"
    print(f"check: {verdict} ({time.monotonic() - began:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
