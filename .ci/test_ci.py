"""The tools of continuous integration: a suite without results never passes, and a stale lock is named."""

from __future__ import annotations

import importlib.util
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema.validators import validator_for

HERE = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    """A script of this folder, imported under a unique module name."""
    spec = importlib.util.spec_from_file_location(f"backstay_ci_{name}", HERE / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tests, locks, check, names = load("tests"), load("locks"), load("check"), load("names")

REPORT = """<testsuites><testsuite name="s">
  <testcase name="good"/>
  <testcase name="bad"><failure message="no"/></testcase>
  <testcase name="crashed"><error message="oh"/></testcase>
  <testcase name="left out"><skipped message="why"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.xml"
    path.write_text(REPORT)
    return path


def test_failures_and_errors_both_count_as_failed(report: Path) -> None:
    tally = tests.judge("s", report, 1)
    assert (tally.passed, tally.failed, tally.skipped) == (1, 2, 1)
    assert tally.broken == ["report:  bad: no", "report:  crashed: oh"]
    assert tally.line() == "1 passed, 2 failed, 1 skipped"


def test_the_slowest_tests_of_all_suites_are_listed_first(tmp_path: Path) -> None:
    found = tests.Tally()
    for suite, seconds in (("one", (0.5, 31.25)), ("two", (2.0, 7.0))):
        report = tmp_path / f"{suite}.xml"
        cases = "".join(f'<testcase classname="c" name="t{time}" time="{time}"/>' for time in seconds)
        report.write_text(f"<testsuite>{cases}</testsuite>")
        found.add(tests.count(report))
    names = [line.split("  ")[-1] for line in found.slowest()]
    assert names == ["one: c t31.25", "two: c t7.0", "two: c t2.0", "one: c t0.5"]
    assert found.slowest()[0].strip().startswith("31.2 s")


def test_failure_is_named_in_one_short_line(report: Path) -> None:
    report.write_text(
        f'<a><testcase classname="c" name="n"><failure>\n{"long " * 400}</failure></testcase></a>'
    )
    [line] = tests.judge("s", report, 1).broken
    assert line.startswith("report: c n: long long")
    assert len(line) < 450


def test_suite_timeout_is_an_additional_failure(report: Path) -> None:
    tally = tests.judge("s", report, None)
    assert tally.failed == 3
    assert tally.broken[2:] == ["s timed out"]


def test_a_suite_without_a_report_failed(tmp_path: Path) -> None:
    tally = tests.judge("s", tmp_path / "none.xml", 0)
    assert (tally.failed, tally.broken) == (1, ["s ran no test"])


@pytest.mark.parametrize("text", ["<testsuite/>", "half <a", "<a><testcase><skipped/></testcase></a>"])
def test_a_suite_whose_report_is_empty_broken_or_all_skipped_failed(report: Path, text: str) -> None:
    report.write_text(text)
    assert tests.judge("s", report, 0).broken == ["s ran no test"]


def test_nonzero_exit_status_fails_a_suite_with_passing_tests(report: Path) -> None:
    report.write_text("<a><testcase/></a>")
    tally = tests.judge("s", report, 3)
    assert (tally.passed, tally.failed) == (1, 1)
    assert tally.broken == ["s ended with status 3"]


def test_hanging_suite_is_stopped_with_its_child_processes(tmp_path: Path) -> None:
    suite = tests.Suite("hang", [sys.executable, "-c", "import time; time.sleep(60)"], 0.3)
    assert tests.run(suite, tmp_path).broken == ["hang timed out"]


def test_suite_that_ignores_sigterm_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests, "SIGTERM_GRACE_S", 0.3)
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", deaf], start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"deaf\n"
    tests.end(process)
    assert process.poll() == -signal.SIGKILL
    process.stdout.close()


def sleeper(seconds: float) -> object:
    return tests.Suite(
        "sleeper", [sys.executable, "-c", f"import time; time.sleep({seconds})"], 60, in_background=True
    )


def test_background_suites_are_counted_after_the_block(tmp_path: Path) -> None:
    with tests.background([sleeper(0.1), sleeper(0)], tmp_path) as tally:
        pass
    assert tally.broken == ["sleeper ran no test"] * 2


def test_background_suites_are_stopped_if_the_block_fails(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), tests.background([sleeper(59)], tmp_path):
        raise KeyboardInterrupt
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("mark", ["netns", "quiet"])
def test_files_of_a_mark_are_found_by_its_text(mark: str) -> None:
    files = tests.files_with(mark)
    assert files
    assert all(f"mark.{mark}" in (tests.ROOT / name).read_text() for name in files)


LOCK = "django==5.2.1 \\\n    --hash=sha256:aa\nnumpy==2.0 \\\n    --hash=sha256:bb\n"


def problems(folder: Path, monkeypatch: pytest.MonkeyPatch, lock: str, wanted: str) -> list[str]:
    monkeypatch.setattr(locks, "ROOT", folder)
    (folder / "x.lock").write_text(lock)
    (folder / "x.in").write_text(wanted)
    found: list[str] = locks.problems(locks.Lock("x.lock", ("x.in",)))
    return found


def test_a_lock_that_satisfies_its_requirements_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(tmp_path, monkeypatch, LOCK, "# why\ndjango>=5.2,<5.3\nbackstay-wire\n") == []


def test_a_new_requirement_makes_a_lock_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(tmp_path, monkeypatch, LOCK, "django>=5.3\nredis>=6\n")
    assert found == [
        "x.lock: django>=5.3 is wanted, 5.2.1 is pinned",
        "x.lock: redis>=6 is wanted, nothing is pinned",
    ]


def test_a_pin_without_a_hash_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(tmp_path, monkeypatch, "django==5.2.1\n", "django\n")
    assert found == ["x.lock: no hash after 'django==5.2.1'"]


@pytest.mark.parametrize(
    "parts", [("pypi", "org"), ("files", "python" + "hosted", "org"), ("registry", "npmjs", "org")]
)
def test_registry_host_is_found(parts: tuple[str, ...]) -> None:
    assert check.REGISTRIES.search(f"https://{'.'.join(parts)}/simple")


@pytest.mark.parametrize("parts", [("", "home", "ann", "x"), ("", "work", "main", "x")])
def test_machine_specific_path_is_found(parts: tuple[str, ...]) -> None:
    assert check.MACHINE_PATHS.search(f"see {'/'.join(parts)}")


def test_failing_check_prints_the_programs_output() -> None:
    outcome = check.command(sys.executable, "-c", "print('it is wrong'); raise SystemExit(1)")
    assert not outcome.held
    assert "it is wrong" in outcome.output


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("told_at", {"told", "at"}),
        ("gatewayWord", {"gateway", "word"}),
        ("HTTPDoor", {"http", "door"}),
        ("_MAX_TURNS", {"max", "turns"}),
        ("password", {"password"}),
    ],
)
def test_names_are_split_at_underscores_and_capitals(name: str, parts: set[str]) -> None:
    assert names.parts(name) == parts


def test_banned_identifier_is_reported_with_its_line_unless_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "ROOT", tmp_path)
    monkeypatch.setattr(names, "typescript", lambda *_: iter(()))
    (tmp_path / "a.py").write_text("def answer(door: int, each: int) -> int:\n    self.words = door\n")
    (tmp_path / "allowed.txt").write_text("# why\nwords in a: hardware\n")
    monkeypatch.setattr(names, "ALLOWED", tmp_path / "allowed.txt")
    found = {(item.line, item.text) for item in names.banned_names(["a.py"])}
    assert found == {(1, "door"), (1, "each")}


def use_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: str = "") -> None:
    """A glossary, a word list and an allow-list of their own."""
    files = {
        "GLOSSARY": "# terms\n| term | meaning |\n|---|---|\n| path switch | judged by probes |\n",
        "VOCABULARY": "# networks\nmtu query\n",
        "ALLOWED": allowed,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        monkeypatch.setattr(names, name, tmp_path / name)


def test_module_name_outside_glossary_and_word_list_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_terms(tmp_path, monkeypatch, allowed="acting in paths/: of a play\n")
    files = [
        *("paths/switches.py", "paths/queries.py", "paths/mtuSwitch.tsx", "paths/acting.py"),
        *("judged.py", "paths/talk.py", "following/path.ts", "paths/test_anything.py"),
    ]
    found = {(item.path, item.text.partition(":")[0]) for item in names.banned_modules(files)}
    assert found == {("judged.py", "judged"), ("paths/talk.py", "talk"), ("following/path.ts", "following")}


def test_class_name_of_more_than_two_product_modules_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_terms(tmp_path, monkeypatch, allowed="Route in web.py: of a web server\n")
    monkeypatch.setattr(names, "ROOT", tmp_path)
    sources = {
        "a.py": "class Port: ...\nclass Route: ...\nclass _Row: ...\n",
        "b.py": "class Port: ...\nclass Route: ...\nclass _Row: ...\n",
        "c.py": "class Port: ...\nclass _Row: ...\n",
        "web.py": "class Route: ...\n",
        "test_a.py": "class Route: ...\n",
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    found = {(item.path, item.line) for item in names.shared_class_names(list(sources))}
    assert found == {("a.py", 1), ("b.py", 1), ("c.py", 1)}


def test_tests_count_as_modules_of_a_folder_but_not_unit_tests_next_to_their_module() -> None:
    python = [f"tests/test_{number}.py" for number in range(26)]
    frontend = [name for number in range(20) for name in (f"ui/{number}.ts", f"ui/{number}.test.ts")]
    found = list(names.full_folders([*python, "tests/__init__.py", *frontend]))
    assert [(item.path, item.text) for item in found] == [("tests/", "26 modules, at most 25")]


def test_small_typescript_file_with_one_importer_is_merged_into_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "frontend" / "src" / "pages"
    pages.mkdir(parents=True)
    sources = {
        "Page.tsx": 'import { Banner } from "./Banner";\nimport { format } from "@/pages/format";\n',
        "Banner.tsx": 'export { Lazy } from "./Lazy";\n',
        "Lazy.tsx": "export const Lazy = 1;\n",
        "format.ts": "export const format = String;\n",
        "Other.tsx": 'const lazy = () => import("./Lazy");\n',
    }
    for name, text in sources.items():
        (pages / name).write_text(text)
    monkeypatch.setattr(names, "ROOT", tmp_path)
    found = [
        item.path for item in names.small_typescript_files([f"frontend/src/pages/{name}" for name in sources])
    ]
    assert found == ["frontend/src/pages/Banner.tsx"]


def test_exception_needs_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "allowed.txt").write_text("words\n")
    monkeypatch.setattr(names, "ALLOWED", tmp_path / "allowed.txt")
    with pytest.raises(ValueError, match="has no reason"):
        names.allowed_names()


@pytest.mark.parametrize(
    ("module", "importer", "separate"),
    [
        ("backstay.alerts.pause", "backstay.alerts.rounds", False),
        ("backstay.core.model.load", "backstay.core.planning.plan", False),
        ("backstay.core.model.load", "backstay.api.links.present", True),
        ("backstay.alerts.rules.clock", "backstay.alerts.rules", True),
        ("backstay.api.links.present", "backstay.api.links.router", True),
        ("backstay_agent.host.files", "backstay_agent.agent", True),
        ("config.agents", "config.ingest", True),
    ],
)
def test_a_small_file_stays_separate_for_a_reason(module: str, importer: str, separate: bool) -> None:
    assert names.is_separate(module, importer) is separate


def dockerfiles() -> list[Path]:
    return [check.ROOT / "backend" / "Dockerfile", check.ROOT / "agents" / "Dockerfile"]


def instructions(path: Path) -> list[str]:
    """A Dockerfile's instructions, continued lines joined, without comments."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return [line for line in "\n".join(lines).replace("\\\n", " ").splitlines() if line.strip()]


def ignored(name: str) -> bool:
    """Whether .dockerignore keeps a path out of the build: the last matching line decides."""
    verdict = False
    for line in (check.ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!").strip()
        inside = name == pattern or name.startswith(f"{pattern}/") or pattern == "*"
        if line and not line.startswith("#") and inside:
            verdict = not line.startswith("!")
    return verdict


@pytest.mark.parametrize("dockerfile", dockerfiles(), ids=lambda path: path.parent.name)
def test_sources_of_an_image_exist_and_are_sent_to_the_builder(dockerfile: Path) -> None:
    copies = [line.split()[1:] for line in instructions(dockerfile) if line.startswith("COPY ")]
    sources = [
        part
        for parts in copies
        if not any(part.startswith("--from=") for part in parts)
        for part in [part for part in parts if not part.startswith("--")][:-1]
    ]
    assert sources
    for source in sources:
        assert (check.ROOT / source).exists(), source
        assert not ignored(source), f"{source} is in .dockerignore"


@pytest.mark.parametrize("dockerfile", dockerfiles(), ids=lambda path: path.parent.name)
def test_every_image_is_based_on_one_pinned_digest(dockerfile: Path) -> None:
    bases = [line for line in instructions(dockerfile) if line.startswith(("ARG BASE=", "FROM "))]
    assert re.fullmatch(r"ARG BASE=debian:12-slim@sha256:[0-9a-f]{64}", bases[0])
    stages = {line.split()[3] for line in bases[1:]}
    assert {line.split()[1] for line in bases[1:]} <= {"${BASE}", *stages}
    assert bases[0].partition("=")[2] in (check.ROOT / "docker-compose.yml").read_text()


@pytest.mark.parametrize("dockerfile", dockerfiles(), ids=lambda path: path.parent.name)
def test_locks_of_the_images_install_with_their_hashes(dockerfile: Path) -> None:
    """The installs of a Dockerfile as a dry run, of the same files with the same options."""
    text = " ".join(instructions(dockerfile))
    names = re.findall(r"--require-hashes\s+-r (\S+)", text)
    assert names
    copied = {
        Path(part).name: part for part in re.findall(r"\S+\.lock", text) if "/" in part and part[0] != "/"
    }
    for name in names:
        lock = check.ROOT / copied[Path(name).name]
        argv = [str(check.BIN / "uv"), "pip", "install", "--python", str(check.BIN / "python"), "--dry-run"]
        done = check.command(
            *argv, "--require-hashes", "--only-binary", ":all:", "--offline", "-r", str(lock)
        )
        assert done.held, done.output


def test_a_lock_without_hashes_would_be_noticed(tmp_path: Path) -> None:
    whole = (check.ROOT / "frontend" / "node.lock").read_text()
    without = [line for line in whole.splitlines() if not ("binaries" not in line and "--hash" in line)]
    (tmp_path / "node.lock").write_text("\n".join(without).replace(" \\", ""))
    assert locks.unhashed(tmp_path / "node.lock")


AS_ROOT = {"lab", "agent"}
"""Services of the lab; docker-compose.yml says why."""


def services() -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load((check.ROOT / "docker-compose.yml").read_text())["services"])


@pytest.mark.parametrize("name", services())
def test_a_container_is_limited(name: str) -> None:
    service = services()[name]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert service["read_only"] is True
    assert all("size=" in entry for entry in service["tmpfs"])
    if name not in AS_ROOT:
        assert "cap_add" not in service


@pytest.mark.parametrize("dockerfile", dockerfiles(), ids=lambda path: path.parent.name)
def test_every_image_that_is_run_names_its_user(dockerfile: Path) -> None:
    users: dict[str, str] = {}
    for line in instructions(dockerfile):
        if line.startswith("FROM "):
            stage = line.split()[3]
        elif line.startswith("USER "):
            users[stage] = line.split()[1]
    run = {
        service["build"]["target"]
        for service in services().values()
        if dockerfile.parent.name in service["build"]["dockerfile"]
    }
    assert run <= set(users)
    assert {stage for stage, user in users.items() if user in {"root", "0"}} <= {"lab"}
    if dockerfile.parent.name == "agents":
        assert users["agent"] == "backstay"


def test_the_compose_file_follows_the_compose_specification() -> None:
    assert compose_errors(yaml.safe_load((check.ROOT / "docker-compose.yml").read_text())) == []


@pytest.mark.parametrize(
    ("service", "key", "value"),
    [
        ("web", "mem_limits", "1g"),
        ("web", "depends_on", {"redis": {"condition": "service_is_healthy"}}),
        ("web", "healthcheck", {"test": ["CMD"], "retries": "many", "every": "5s"}),
        ("web", "tmpfs", [{"target": "/tmp"}]),
        ("lab", "cap_add", "NET_ADMIN"),
    ],
)
def test_a_mistake_in_the_compose_file_would_be_noticed(service: str, key: str, value: object) -> None:
    compose = yaml.safe_load((check.ROOT / "docker-compose.yml").read_text())
    compose["services"][service][key] = value
    assert any(error.startswith(f"services.{service}") for error in compose_errors(compose))


def compose_errors(compose: object) -> list[str]:
    """Where and how a compose file breaks the Compose specification's schema."""
    schema = get_builtin_schema("vendor.compose-spec")
    validator = validator_for(schema)(schema)
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in validator.iter_errors(compose)
    ]


def test_secrets_of_the_compose_file_are_made(tmp_path: Path) -> None:
    named = yaml.safe_load((check.ROOT / "docker-compose.yml").read_text())["secrets"]
    done = check.command(".ci/compose-secrets", str(tmp_path / "secrets"))
    assert done.held, done.output
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(named)
    assert len(set(made.values())) == len(made)
    assert all(len(value) >= 32 for value in made.values())
