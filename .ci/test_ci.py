"""The tools of continuous integration: a suite without results never passes, and a stale lock is named."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

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
    assert (tally.passed, tally.failed, tally.skipped, tally.broken) == (1, 2, 1, [])
    assert tally.line() == "1 passed, 2 failed, 1 skipped"


def test_suite_timeout_is_an_additional_failure(report: Path) -> None:
    tally = tests.judge("s", report, None)
    assert tally.failed == 3
    assert tally.broken == ["s timed out"]


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
    monkeypatch.setattr(names, "declared_in_typescript", lambda _: iter(()))
    (tmp_path / "a.py").write_text("def answer(door: int, each: int) -> int:\n    self.words = door\n")
    (tmp_path / "allowed.txt").write_text("# why\nwords in a: hardware\n")
    monkeypatch.setattr(names, "ALLOWED", tmp_path / "allowed.txt")
    found = {(item.line, item.text) for item in names.banned_names(["a.py"])}
    assert found == {(1, "door"), (1, "each")}


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
        ("config.agents", "config.wsgi", True),
    ],
)
def test_a_small_file_stays_separate_for_a_reason(module: str, importer: str, separate: bool) -> None:
    assert names.is_separate(module, importer) is separate
