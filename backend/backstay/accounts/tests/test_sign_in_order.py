"""In an overloaded queue of sign-ins, an address that floods it comes after one that tries again."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backstay.accounts import sign_in
from backstay.accounts.models import User
from backstay.core.errors import Unavailable

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """By how many attempts each sign-in is ordered; none is checked."""
    found: list[int] = []

    def crowded(_password: str, _encoded: str | None, _queue: object, attempts: int) -> bool:
        found.append(attempts)
        raise Unavailable("Too many people are signing in; try again.")

    monkeypatch.setattr(sign_in, "_checked", crowded)
    return found


def attempt(name: str, address: str) -> None:
    with pytest.raises(Unavailable):
        sign_in.sign_in(name, "wrong", address, "", timezone.now())


def test_another_name_each_time_makes_no_newcomer_of_an_address(attempts: list[int]) -> None:
    for number in range(5):
        attempt(f"nobody{number}", "10.66.0.1")
    attempt("sam", "10.1.0.1")
    attempt("sam", "10.1.0.1")
    assert attempts == [1, 2, 3, 4, 5, 1, 2]


def test_success_is_no_attempt(attempts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_user("sam", password="correct horse")
    with monkeypatch.context() as patch:
        patch.setattr(sign_in, "_checked", lambda *_: True)
        sign_in.sign_in("sam", "correct horse", "10.1.0.1", "", timezone.now())
    attempt("kim", "10.1.0.1")
    assert attempts == [1]


def test_attempts_that_were_not_checked_do_not_exceed_the_limit_of_an_address(attempts: list[int]) -> None:
    for number in range(sign_in.MOST_OF_ADDRESS + 5):
        attempt(f"nobody{number}", "10.66.0.1")
    assert len(attempts) == sign_in.MOST_OF_ADDRESS + 5, "none waited for a slot of its address"
