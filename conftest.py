"""Fixtures of all packages: a briefly busy machine fails no test, and slow files run first."""

import subprocess
from itertools import groupby

import pytest
from hypothesis import settings

# pytest writes PYTEST_CURRENT_TEST for every test, while threads of module fixtures start programs. A child
# of vfork(2) reads that same environment, and execve(2) then fails with EFAULT; one of fork(2) has
# its own copy. The documented switch, which typeshed declares final.
subprocess._USE_VFORK = False  # type: ignore[misc]
settings.register_profile("backstay", deadline=None)
settings.load_profile("backstay")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, so that none is left for the end, when other workers are idle.

    Files that empty the database, including rows created by migrations, come last.
    """
    _check_marks(items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    emptying = {item.path for item in items if _empties(item)}
    items.sort(key=lambda item: (item.path in emptying, item.path not in slow))


class FailureNames:
    """Prints each failed test at once: a suite that times out has no summary."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._terminal.write_line(f"\nfailed: {report.nodeid} ({report.when})")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Workers of xdist have no terminal; their reports reach the controller's."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if isinstance(terminal, pytest.TerminalReporter):
        config.pluginmanager.register(FailureNames(terminal))


def _check_marks(items: list[pytest.Item]) -> None:
    """`make test` finds the files of a mark by its text, to import no others."""
    for path, tests in groupby(items, key=lambda item: item.path):
        used = {mark.name for test in tests for mark in test.iter_markers()} & {"netns", "quiet"}
        text = path.read_text() if used else ""
        if missing := {name for name in used if f"mark.{name}" not in text}:
            raise pytest.UsageError(f"{path}: write pytest.mark.{missing.pop()} in the file that uses it")


def _empties(item: pytest.Item) -> bool:
    database = item.get_closest_marker("django_db")
    transaction = database is not None and database.kwargs.get("transaction", False)
    fixtures = getattr(item, "fixturenames", ())
    return transaction or "transactional_db" in fixtures or "live_server" in fixtures
