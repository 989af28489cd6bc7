"""Addresses of Redis and of its Sentinels, as the client library and Celery need them."""

from __future__ import annotations

import pytest

from backstay.live.redis_sentinel import SentinelAddress, broker_options, broker_url, with_password

URL = "sentinel://:a%2Fb@10.0.0.1:26379,10.0.0.2,[fd00::3]:26380/backstay/2"


def test_sentinels_service_database_and_password_are_read() -> None:
    sentinels = (("10.0.0.1", 26379), ("10.0.0.2", 26379), ("fd00::3", 26380))
    assert SentinelAddress.parse(URL) == SentinelAddress(sentinels, "backstay", 2, "a/b")


def test_one_server_has_no_sentinels() -> None:
    assert SentinelAddress.parse("redis://localhost:6379/0") is None
    assert broker_url("unix:///run/redis.sock") == "redis+socket:///run/redis.sock"
    assert broker_options("redis://localhost:6379/0") == {"visibility_timeout": 60}


def test_celery_gets_a_url_for_each_sentinel_and_the_service() -> None:
    assert broker_url(URL) == (
        "sentinel://:a%2Fb@10.0.0.1:26379/2;sentinel://:a%2Fb@10.0.0.2:26379/2;sentinel://:a%2Fb@[fd00::3]:26380/2"
    )
    options = broker_options(URL)
    assert (options["master_name"], options["sentinel_kwargs"]["password"]) == ("backstay", "a/b")


def test_password_from_a_secret_of_its_own_is_inserted() -> None:
    assert with_password("sentinel://10.0.0.1/backstay", "a/b") == "sentinel://:a%2Fb@10.0.0.1/backstay"
    assert with_password(URL, "other") == URL


@pytest.mark.parametrize(
    "url",
    ["sentinel://10.0.0.1", "sentinel:///s", "sentinel://h:x/s", "sentinel://h/s/x", "sentinel://u:p@h/s"],
)
def test_incomplete_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected sentinel://"):
        SentinelAddress.parse(url)
