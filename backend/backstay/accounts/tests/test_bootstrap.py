"""`manage.py bootstrap`: people with their roles and tokens, made once and kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backstay.accounts.models import ApiToken, User
from backstay.accounts.services import api_token, role_at

pytestmark = pytest.mark.django_db
VARIABLE = "BACKSTAY_PASSWORD_OF_A_TEST"


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(VARIABLE, "rose-fern-moss-reed")
    return "rose-fern-moss-reed"


def bootstrap(user: str, *more: str) -> None:
    call_command("bootstrap", "--user", user, "--password-env", VARIABLE, *more, verbosity=0)


def test_first_user_is_administrator_of_every_site(password: str) -> None:
    bootstrap("admin")
    person = User.objects.get(username="admin")
    assert person.check_password(password)
    assert role_at(person, "argonne") == "admin"


def test_second_user_and_token_have_the_requested_role(tmp_path: Path) -> None:
    file = tmp_path / "token"
    bootstrap("deputy", "--role", "approver", "--token-out", str(file))
    row = api_token(file.read_text().strip(), timezone.now())
    assert row is not None
    assert (row.user.username, row.role, role_at(row.user, "argonne")) == ("deputy", "approver", "approver")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_valid_token_is_kept_and_one_of_another_role_replaced(tmp_path: Path) -> None:
    file = tmp_path / "token"
    bootstrap("deputy", "--role", "approver", "--token-out", str(file))
    first = file.read_text()
    bootstrap("deputy", "--role", "approver", "--token-out", str(file))
    assert file.read_text() == first
    bootstrap("deputy", "--role", "viewer", "--token-out", str(file))
    assert file.read_text() != first
    assert set(ApiToken.objects.values_list("role", flat=True)) == {"approver", "viewer"}


def test_unknown_role_or_empty_password_creates_no_user(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="role"):
        bootstrap("deputy", "--role", "king")
    monkeypatch.setenv(VARIABLE, "")
    with pytest.raises(CommandError, match="empty"):
        bootstrap("deputy")
    assert not User.objects.exists()
