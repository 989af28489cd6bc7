"""Names and layout: names of identifiers, modules and classes, folder sizes, import cycles, small files.

`names.py` checks and exits 1 on a violation; `--report` prints the counts of every package; `--list PREFIX`
prints the violations below a path. A module name consists of terms of `docs/glossary.md` and words of
`names-words.txt`. Exceptions are listed with their reason in `names-allowed.txt`.
"""

from __future__ import annotations

import argparse
import ast
import posixpath
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NODE = ROOT / ".venv" / "bin" / "node"
ALLOWED = HERE / "names-allowed.txt"
GLOSSARY = ROOT / "docs" / "glossary.md"
VOCABULARY = HERE / "names-words.txt"

BANNED = frozenset(
    """
    told tell tells telling teller tellers said say says saying heard hear hears hearing wish wishes wished
    ground grounds course courses beside standing standings astray worry worries word words way ways turn
    turns door doors ears mistake mistakes obstacle obstacles death deaths nursery birth births watchman
    pulse pulses
    """.split()  # noqa: SIM905 (a list literal of it fills a page)
)
"""Parts of a name, split at underscores and capitals; `each` is banned as a whole name."""
STATES_OF_MIND = frozenset(
    ("shown", "asked", "wanted", "said", "found", "beside", "standing", "keeping", "now", "past")
)
"""Further parts banned in module names: a module is named by a noun."""
MODULES_PER_FOLDER = 25
CLASSES_PER_NAME = 2
"""Modules that may define a public class of one name, such as a value of the core and its Django model."""
SMALL_LINES, MERGED_LINES = 60, 300
PLUGIN_FOLDERS = frozenset(
    (
        *(
            "actuators",
            "channels",
            "checks",
            "collectors",
            "commands",
            "daemons",
            "engines",
            "kinds",
            "metrics",
        ),
        *("profiles", "rules", "throughput_kinds", "transports"),
    )
)
"""One file per kind, listed in a registry."""
STANDARD_MODULES = frozenset(
    ("models", "selectors", "services", "tasks", "apps", "views", "router", "schemas", "present")
)
"""Every app or API noun has them, however small."""
ENTRY_POINTS = frozenset(("asgi", "ingest", "main"))
"""Importing one starts threads or renders the pages, so nothing that tests import is merged into it."""
PYTHON_ROOTS = (
    *("config", "backstay", "backstay_wire", "backstay_gatedconf", "backstay_agent", "backstay_lab"),
    *("backstay_cli", "backstay_bench", "backstay_testing"),
)

PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
NOT_MERGED = re.compile(r"(^|/)tests/|(^|/)(test_\w+|conftest)\.py$|^agents/testing/|/__init__\.py$")
TESTS = re.compile(r"(^|/)(tests|e2e)/|(^|/)(test_\w+|conftest)\.py$|\.test\.tsx?$")
GENERATED = re.compile(r"/migrations/|schema\.d\.ts$|backstay_cli/models\.py$")
NOT_PRODUCT = re.compile(r"^(\.ci|agents/bench|agents/testing|backend/bench)/|/management/commands/")
SUFFIX = re.compile(r"(\.d|\.test|\.spec|\.setup|\.screens|\.config)?\.(py|tsx?)$")


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """One name or folder that breaks a rule."""

    path: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.text}"


def source_files() -> list[str]:
    """Tracked, hand-written Python and TypeScript files."""
    argv = ["git", "ls-files", "*.py", "*.ts", "*.tsx"]
    listed = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [path for path in listed if not GENERATED.search(path) and (ROOT / path).is_file()]


def package(path: str) -> str:
    """The package to which a file is counted; tests separately."""
    parts = path.split("/")
    depth = {"backend/backstay": 3, "frontend/src": 3}.get("/".join(parts[:2]), 2)
    name = "/".join(parts[:-1][:depth]) or "."
    return f"{name} (tests)" if TESTS.search(path) else name


def parts(name: str) -> set[str]:
    """The lower-case words of an identifier."""
    return {part.lower() for part in PARTS.findall(name)}


def allowed_names() -> set[tuple[str, str]]:
    """(name, path prefix) of every exception; raises ValueError for an entry without a reason."""
    found = set()
    for line in ALLOWED.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            entry, _, reason = line.partition(": ")
            if not reason.strip():
                raise ValueError(f"{ALLOWED.name}: {line} has no reason")
            name, _, prefix = entry.partition(" in ")
            found.add((name.strip(), prefix.strip()))
    return found


def is_allowed(name: str, path: str, allowed: set[tuple[str, str]]) -> bool:
    """Whether the name is allowed in this file."""
    return any(name == known and path.startswith(prefix) for known, prefix in allowed)


def declared_in_python(path: str) -> Iterator[tuple[int, str]]:
    """Every name that a file declares or assigns, except names of tests, which are sentences."""
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if not node.name.startswith("test_"):
                    yield node.lineno, node.name
            case ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name


def typescript(what: str, paths: list[str]) -> Iterator[tuple[str, int, str]]:
    """(file, line, name) of the files by TypeScript's parser; `what` is an option of names.mjs."""
    argv = [str(NODE), str(HERE / "names.mjs"), what, *paths]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f".ci/names.mjs failed: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        path, number, name = line.split("\t")
        yield path, int(number), name


def declarations(files: list[str]) -> Iterator[tuple[str, int, str]]:
    """(file, line, name) of all files."""
    for path in files:
        if path.endswith(".py"):
            yield from ((path, line, name) for line, name in declared_in_python(path))
    yield from typescript("--declarations", [path for path in files if not path.endswith(".py")])


def banned_names(files: list[str]) -> Iterator[Violation]:
    """Identifiers with a banned part."""
    allowed = allowed_names()
    for path, line, name in declarations(files):
        if (parts(name) & BANNED or name == "each") and not is_allowed(name, path, allowed):
            yield Violation(path, line, "banned identifier", name)


def vocabulary() -> frozenset[str]:
    """The words of the glossary's terms (its first column) and of the word list."""
    terms = [line.split("|")[1] for line in GLOSSARY.read_text().splitlines() if line.startswith("|")]
    listed = [line for line in VOCABULARY.read_text().splitlines() if not line.startswith("#")]
    return frozenset(re.findall(r"[a-z]+", " ".join(terms + listed).lower()))


def is_known(part: str, known: frozenset[str]) -> bool:
    """Whether the part of a name, or the singular of a plural, is known."""
    return any(
        part.endswith(plural) and part.removesuffix(plural) + singular in known
        for plural, singular in (("", ""), ("s", ""), ("es", ""), ("ies", "y"))
    )


def banned_modules(files: list[str]) -> Iterator[Violation]:
    """Modules and folders named with a banned word, a state of mind, or a word that is not known."""
    allowed, known, seen = allowed_names(), vocabulary(), set[str]()
    for path in files:
        pieces = SUFFIX.sub("", path).split("/")
        for depth in range(1, len(pieces) + 1):
            where = "/".join(pieces[:depth])
            name = pieces[depth - 1]
            is_test = bool(TESTS.search(path)) and depth == len(pieces)
            if where in seen or is_test or is_allowed(name, path, allowed):
                continue
            seen.add(where)
            if parts(name) & (BANNED | STATES_OF_MIND):
                yield Violation(path, 1, "module name", name)
            elif unknown := sorted(part for part in parts(name) if not is_known(part, known)):
                text = f"{name}: {', '.join(unknown)} is no term of {GLOSSARY.name} or {VOCABULARY.name}"
                yield Violation(path, 1, "module name", text)


def shared_class_names(files: list[str]) -> Iterator[Violation]:
    """Public classes of the product whose name is defined in too many modules."""
    allowed = allowed_names()
    defined: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for path in files:
        if path.endswith(".py") and not TESTS.search(path) and not NOT_PRODUCT.search(path):
            for node in ast.parse((ROOT / path).read_text()).body:
                match node:
                    case ast.ClassDef(name=name) if name[0] != "_" and not is_allowed(name, path, allowed):
                        defined[name].append((path, node.lineno))
    for name, places in defined.items():
        if len(places) > CLASSES_PER_NAME:
            text = f"{name} in {len(places)} modules, at most {CLASSES_PER_NAME}: qualify it"
            yield from (Violation(path, line, "class name", text) for path, line in places)


def full_folders(files: list[str]) -> Iterator[Violation]:
    """Folders with too many modules. A frontend's unit test stands next to its module and counts with it."""
    modules = [path for path in files if not path.endswith(("/__init__.py", ".test.ts", ".test.tsx"))]
    for folder, count in Counter(path.rpartition("/")[0] for path in modules).items():
        if count > MODULES_PER_FOLDER:
            yield Violation(f"{folder}/", 1, "folder size", f"{count} modules, at most {MODULES_PER_FOLDER}")


def import_graph() -> grimp.ImportGraph:
    """The imports between this project's Python modules, including those for annotations."""
    return grimp.build_graph(*PYTHON_ROOTS, cache_dir=None)


def cycles(graph: grimp.ImportGraph, files: list[str]) -> Iterator[Violation]:
    """Import cycles; oxlint (import/no-cycle) finds those of the frontend."""
    paths = {module_name(path): path for path in files}
    imports = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    while True:
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            cycle = error.args[1]
            yield Violation(paths[cycle[0]], 1, "import cycle", " -> ".join(reversed(cycle)))
            # graphlib lists a cycle from dependency to importer: break it, and look for the next.
            imports[cycle[1]].discard(cycle[0])
        else:
            return


def module_name(path: str) -> str:
    """backend/backstay/core/x.py -> backstay.core.x; a package's __init__.py -> the package."""
    inside = re.sub(r"^(backend|agents/\w+/src)/", "", path)
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def layer(module: str) -> str:
    """backstay.alerts.rules.clock -> backstay.alerts: code moves within an app or layer, not across."""
    return ".".join(module.split(".")[:-1][:2])


def small_python_files(graph: grimp.ImportGraph, files: list[str]) -> Iterator[Violation]:
    """Modules to merge into their only importer: same app or layer, and the result is of a readable size."""
    paths = {module_name(path): path for path in files}
    lines = {path: len((ROOT / path).read_text().splitlines()) for path in files if path.endswith(".py")}
    for module, path in paths.items():
        if module not in graph.modules or NOT_MERGED.search(path) or lines[path] >= SMALL_LINES:
            continue
        found = graph.find_modules_that_directly_import(module)
        importers = [name for name in found if name in paths and not TESTS.search(paths[name])]
        if len(importers) != 1 or is_separate(module, importers[0]):
            continue
        if lines[path] + lines[paths[importers[0]]] <= MERGED_LINES:
            yield Violation(path, 1, "small file", f"{lines[path]} lines, imported by {importers[0]} only")


def is_separate(module: str, importer: str) -> bool:
    """Whether a small module stays one: a plug-in, a standard file, another layer's, or an entry point's."""
    *folders, name = module.split(".")
    return bool(
        PLUGIN_FOLDERS & set(folders)
        or name in STANDARD_MODULES
        or importer.rpartition(".")[2] in ENTRY_POINTS
        or layer(module) != layer(importer)
    )


def typescript_imports(files: list[str]) -> dict[str, set[str]]:
    """Module -> the modules outside tests that import it, both by path."""
    sources = [path for path in files if path.startswith("frontend/src/") and not TESTS.search(path)]
    by_stem = {SUFFIX.sub("", path): path for path in sources}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for path, _, name in typescript("--imports", sources):
        base = "frontend/src" if name.startswith("@/") else path.rpartition("/")[0]
        imported = by_stem.get(posixpath.normpath(f"{base}/{name.removeprefix('@/')}"))
        if imported is not None:
            importers[imported].add(path)
    return importers


def small_typescript_files(files: list[str]) -> Iterator[Violation]:
    """As for Python, within a folder. A .ts file stays separate from a .tsx file: it needs no browser."""
    lines = {
        path: len((ROOT / path).read_text().splitlines()) for path in files if path.endswith(("ts", "tsx"))
    }
    for path, importers in typescript_imports(files).items():
        folder, importer = path.rpartition("/")[0], next(iter(importers))
        if lines[path] >= SMALL_LINES or len(importers) != 1 or folder != importer.rpartition("/")[0]:
            continue
        is_pure = path.endswith(".ts") and importer.endswith(".tsx")
        is_entry_point = SUFFIX.sub("", importer).rpartition("/")[2] in ENTRY_POINTS
        if not is_pure and not is_entry_point and lines[path] + lines[importer] <= MERGED_LINES:
            yield Violation(path, 1, "small file", f"{lines[path]} lines, imported by {importer} only")


def totals(files: list[str]) -> str:
    """Source files and lines outside tests, what only they use, migrations and generated files."""
    sources = [path for path in files if not TESTS.search(path) and not path.startswith("agents/testing/")]
    lines = sum(len((ROOT / path).read_text().splitlines()) for path in sources)
    left_out = "without tests, test support, migrations, generated files"
    return f"{len(sources)} source files, {lines} lines ({left_out})"


def print_report(violations: list[Violation]) -> None:
    """Counts per package and kind."""
    kinds = sorted({violation.kind for violation in violations})
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for violation in violations:
        table[package(violation.path)][violation.kind] += 1
    print(f"{'package':<34}" + "".join(f"{kind:>19}" for kind in kinds))
    for name, row in sorted(table.items()):
        print(f"{name:<34}" + "".join(f"{row[kind] or '':>19}" for kind in kinds))
    print(f"{'total':<34}" + "".join(f"{sum(row[kind] for row in table.values()):>19}" for kind in kinds))


def main() -> int:
    """Check names, layout and imports; returns 1 on a violation."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--report", action="store_true", help="count violations per package; exit status 0")
    parser.add_argument("--list", metavar="PREFIX", help="list violations below this path; exit status 0")
    options = parser.parse_args()
    files = source_files()
    violations = sorted(
        {*banned_names(files), *banned_modules(files), *shared_class_names(files), *full_folders(files)}
    )
    graph = import_graph()
    violations += [*cycles(graph, files), *small_python_files(graph, files), *small_typescript_files(files)]
    if options.list is not None:
        print("\n".join(str(item) for item in violations if item.path.startswith(options.list)))
        return 0
    print(totals(files))
    if options.report:
        print_report(violations)
        return 0
    print("\n".join(map(str, violations)))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
