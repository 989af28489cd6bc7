"""Enrolment, renewal and revocation of agents, as an attacker or a careless retry would try them."""

from __future__ import annotations

import base64
import threading
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from pytest_django import Settings

from backstay.accounts import agents, credentials
from backstay.accounts.models import Agent, EnrolmentToken
from backstay.core.errors import BackstayError, Invalid, Unauthenticated

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def public_text(key: Ed25519PrivateKey) -> str:
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def proof(key: Ed25519PrivateKey, agent: Agent, nonce: str = "n" * 16, at: datetime = NOW) -> agents.Proof:
    text = f"signed text {nonce}"
    signature = base64.b64encode(key.sign(text.encode())).decode()
    return agents.Proof(str(agent.pk), int(at.timestamp()), nonce, text, signature)


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


@pytest.fixture
def agent(db: None, key: Ed25519PrivateKey) -> Agent:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    return agents.enrol(token, public_text(key), "1.0", NOW)


def test_token_enrols_exactly_one_key(db: None, key: Ed25519PrivateKey) -> None:
    token, expires_at = agents.create_enrolment_token("lab", "sp01", None, NOW)
    assert expires_at - NOW == timedelta(minutes=15)
    agent = agents.enrol(token, public_text(key), "1.0", NOW)
    assert (agent.site, agent.node) == ("lab", "sp01")
    with pytest.raises(Unauthenticated):
        agents.enrol(token, public_text(Ed25519PrivateKey.generate()), "1.0", NOW)


def test_repeated_enrolment_after_a_lost_response_gives_the_same_agent(
    db: None, key: Ed25519PrivateKey
) -> None:
    token, expires_at = agents.create_enrolment_token("lab", "sp01", None, NOW)
    first = agents.enrol(token, public_text(key), "1.0", NOW)
    assert agents.enrol(token, public_text(key), "1.0", NOW).pk == first.pk
    with pytest.raises(Unauthenticated):
        agents.enrol(token, public_text(key), "1.0", expires_at)
    agents.revoke(first.pk, NOW)
    with pytest.raises(Unauthenticated):
        agents.enrol(token, public_text(key), "1.0", NOW)


def test_token_is_stored_only_as_a_digest(db: None) -> None:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    assert token not in str(list(EnrolmentToken.objects.values()))


@pytest.mark.parametrize("late", [timedelta(minutes=15), timedelta(days=1)])
def test_token_older_than_15_minutes_is_refused(db: None, key: Ed25519PrivateKey, late: timedelta) -> None:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    with pytest.raises(Unauthenticated):
        agents.enrol(token, public_text(key), "1.0", NOW + late)


@pytest.mark.parametrize("text", ["", "AAAA", "not base64 at all", base64.b64encode(b"x" * 33).decode()])
def test_invalid_key_is_refused_without_spending_the_token(
    db: None, key: Ed25519PrivateKey, text: str
) -> None:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    with pytest.raises(Invalid):
        agents.enrol(token, text, "1.0", NOW)
    assert agents.enrol(token, public_text(key), "1.0", NOW).node == "sp01"


def test_new_enrolment_revokes_the_nodes_former_agent(agent: Agent, key: Ed25519PrivateKey) -> None:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    new = agents.enrol(token, public_text(key), "1.0", NOW)
    agent.refresh_from_db()
    assert agent.revoked_at == NOW
    assert new.revoked_at is None


@pytest.mark.django_db(transaction=True)
def test_one_of_100_concurrent_enrolments_with_one_token_succeeds() -> None:
    token, _ = agents.create_enrolment_token("lab", "sp01", None, NOW)
    start = threading.Barrier(10)
    won: list[uuid.UUID] = []
    lost: list[None] = []

    def attempt() -> None:
        start.wait()
        for _ in range(10):
            try:
                own = public_text(Ed25519PrivateKey.generate())
                won.append(agents.enrol(token, own, "1.0", NOW).pk)
            except Unauthenticated:
                lost.append(None)
        connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(lost)) == (1, 99)
    assert Agent.objects.count() == 1


def test_signed_proof_renews_the_credential(agent: Agent, key: Ed25519PrivateKey) -> None:
    assert agents.renew(proof(key, agent), NOW) == agent


def test_repeated_proof_is_a_replay(agent: Agent, key: Ed25519PrivateKey) -> None:
    agents.renew(proof(key, agent), NOW)
    with pytest.raises(Unauthenticated, match="already used"):
        agents.renew(proof(key, agent), NOW + timedelta(minutes=4))


def test_foreign_key_does_not_renew(agent: Agent) -> None:
    with pytest.raises(Unauthenticated, match="signature"):
        agents.renew(proof(Ed25519PrivateKey.generate(), agent), NOW)


@pytest.mark.parametrize("minutes", [-6, 6])
def test_clock_off_by_more_than_5_minutes_does_not_renew(
    agent: Agent, key: Ed25519PrivateKey, minutes: int
) -> None:
    with pytest.raises(Unauthenticated, match="clock"):
        agents.renew(proof(key, agent, at=NOW + timedelta(minutes=minutes)), NOW)


def test_revoked_agent_does_not_renew(agent: Agent, key: Ed25519PrivateKey) -> None:
    assert agents.revoke(agent.pk, NOW)
    assert not agents.revoke(agent.pk, NOW)
    with pytest.raises(Unauthenticated, match="revoked"):
        agents.renew(proof(key, agent), NOW)


def test_credential_identifies_its_agent_until_it_expires() -> None:
    agent = uuid.uuid4()
    bearer = credentials.issue(agent, NOW)
    header = f"Bearer {bearer.text}"
    assert credentials.agent_of(header, bearer.expires_at - timedelta(seconds=1)) == agent
    with pytest.raises(Unauthenticated, match="expired"):
        credentials.agent_of(header, bearer.expires_at)


def test_altered_credential_is_refused() -> None:
    text = credentials.issue(uuid.uuid4(), NOW).text
    for position in range(len(credentials.PREFIX), len(text) - 1):
        other = "A" if text[position] != "A" else "B"
        with pytest.raises(BackstayError):
            credentials.agent_of(f"Bearer {text[:position]}{other}{text[position + 1 :]}", NOW)


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Basic bsa1.AAAA", "Bearer bsa1.", "Bearer bsa1.é"]
)
def test_other_authorization_headers_are_unauthenticated(header: str) -> None:
    with pytest.raises(Unauthenticated):
        credentials.agent_of(header, NOW)


def test_credential_of_the_former_key_is_valid_after_rotation(settings: Settings) -> None:
    agent = uuid.uuid4()
    settings.SECRET_KEYS = ["old"]
    header = f"Bearer {credentials.issue(agent, NOW).text}"
    settings.SECRET_KEYS = ["new", "old"]
    assert credentials.agent_of(header, NOW) == agent
    settings.SECRET_KEYS = ["new"]
    with pytest.raises(Unauthenticated):
        credentials.agent_of(header, NOW)
