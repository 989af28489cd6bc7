"""Account and address: the environment has precedence, a stored token is sent only to its address."""

import io
import json
import stat
from pathlib import Path

import pytest

from backstay_cli.account import Account, keep, kept_at, load, origin
from backstay_cli.errors import Usage
from backstay_testing.cli.fake_server import TOKEN, Run, World


def home(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder)}


def test_stored_account_is_private(tmp_path: Path) -> None:
    keep(Account("http://a:1", "first"), home(tmp_path))
    path = keep(Account("http://a:1", "second", "argonne"), home(tmp_path))
    assert path == tmp_path / ".config/backstay/operator.json" == kept_at(home(tmp_path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert load(home(tmp_path)) == Account("http://a:1", "second", "argonne")
    assert list(path.parent.iterdir()) == [path]


def test_account_file_readable_by_others_is_refused(tmp_path: Path) -> None:
    keep(Account("http://a:1", "secret"), home(tmp_path)).chmod(0o640)
    with pytest.raises(Usage, match="chmod 600"):
        load(home(tmp_path))


def test_environment_has_precedence_and_a_stored_token_is_sent_only_to_its_address(tmp_path: Path) -> None:
    keep(Account("http://a:1", "kept", "argonne"), home(tmp_path))
    assert load(home(tmp_path) | {"BACKSTAY_TOKEN": "other"}) == Account("http://a:1", "other", "argonne")
    elsewhere = home(tmp_path) | {"BACKSTAY_URL": "http://b:2"}
    with pytest.raises(Usage, match="BACKSTAY_TOKEN"):
        load(elsewhere)
    assert load(elsewhere | {"BACKSTAY_TOKEN": "other"}) == Account("http://b:2", "other")


def test_missing_sign_in_and_damaged_file_name_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="backstay sign-in"):
        load(home(tmp_path))
    keep(Account("http://a:1", "kept"), home(tmp_path)).write_text("{")
    with pytest.raises(Usage, match="sign-in again"):
        load(home(tmp_path))


@pytest.mark.parametrize("text", ["", "backstay", "ftp://a", "http://", "http://a:x", "http://me:pw@a"])
def test_invalid_address_is_reported(text: str) -> None:
    with pytest.raises(Usage, match="is not a Backstay address"):
        origin(text)


def test_address_copied_from_a_browser_is_accepted() -> None:
    assert origin(" https://backstay.example:8443/changes/42 ") == "https://backstay.example:8443"


def test_sign_in_checks_and_stores_the_token(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BACKSTAY_URL")
    monkeypatch.delenv("BACKSTAY_TOKEN")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    done = run("--site", "argonne", "sign-in", f"{world.url}/overview")
    assert done.code == 0
    assert "as ada (operator), at site argonne" in done.out
    assert TOKEN not in done.out + done.err
    kept = json.loads((tmp_path / "config/backstay/operator.json").read_text())
    assert kept == {"url": world.url, "token": TOKEN, "site": "argonne"}
    assert run("paths").code == 0
    assert world.made("GET", "/paths")[0].query["site"] == "argonne"
    assert "deleted" in run("sign-out").out
    assert run("paths").code == 2


def test_wrong_token_is_refused_and_not_stored(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("wrong\n"))
    done = run("sign-in", world.url)
    assert done.code == 3
    assert "rejects this token" in done.err
    assert not (tmp_path / "config/backstay").exists()
