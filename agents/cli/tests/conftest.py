"""Fixtures for tests of the command line: the fake backend, and a run of the program."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from backstay_cli import polling
from backstay_cli.cli import main
from backstay_testing.cli.fake_server import TOKEN, Ran, Run, World, handler
from backstay_testing.cli.site import furnished


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[World]:
    made = World()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    for name in (
        "BACKSTAY_SITE",
        "NO_COLOR",
        "FORCE_COLOR",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BACKSTAY_URL", made.url)
    monkeypatch.setenv("BACKSTAY_TOKEN", TOKEN)
    monkeypatch.setenv("TZ", "UTC")
    # Tests of what a table says see all its columns; those of its width set the width.
    monkeypatch.setenv("COLUMNS", "10000")
    monkeypatch.setattr(polling, "EACH_S", 0.01)
    monkeypatch.setattr("backstay_cli.api.PAUSE_S", 0.01)
    made.answers |= furnished()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(world: World, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process."""

    def ran(*arguments: str) -> Ran:
        capsys.readouterr()
        try:
            main(arguments)
            code: Any = 0
        except SystemExit as left:
            code = left.code
        answer = capsys.readouterr()
        return Ran(int(code or 0), answer.out, answer.err)

    return ran
