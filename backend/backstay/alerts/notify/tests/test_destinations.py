"""Which addresses and URLs are refused, however they are written."""

from __future__ import annotations

import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.alerts.notify.destinations import DestinationPolicy, check_host, is_local, split_url, web_url

DEFAULT = DestinationPolicy()
STRICT = DestinationPolicy(refuses_private=True)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("0.0.0.0", "loopback"),
        ("0.1.2.3", "loopback"),
        ("::1", "loopback"),
        ("::", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:7f00:1", "loopback"),
        ("::127.0.0.1", ""),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("2002:7f00:1::", "loopback"),
        ("2001:0:53aa:64c:0:0:80ff:fffe", "loopback"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("fe80::5efe:7f00:1", "link-local"),
        ("169.254.169.254", "link-local"),
        ("::ffff:169.254.169.254", "link-local"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "multicast"),
        ("ff02::1", "multicast"),
        ("240.0.0.1", "reserved"),
        ("64:ff9b:1::1", "reserved"),
        ("2130706433", "not an address"),
        ("0177.0.0.1", "not an address"),
        ("0x7f.1", "not an address"),
        ("localhost", "not an address"),
        ("", "not an address"),
    ],
)
def test_addresses_that_are_no_receiver_are_refused(address: str, why: str) -> None:
    refusal = DEFAULT.refusal(address, 443)
    assert refusal
    assert why in refusal
    assert STRICT.refusal(address, 443)


@pytest.mark.parametrize(
    "address",
    ["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.1.1", "fd00::1", "::ffff:10.1.2.3", "64:ff9b::a01:203"],
)
def test_private_addresses_are_refused_only_if_the_setting_says_so(address: str) -> None:
    assert DEFAULT.refusal(address, 443) == ""
    assert "private" in STRICT.refusal(address, 443)
    networks = ("10.0.0.0/8", "fd00::/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
    allowed = DestinationPolicy(tuple(map(ipaddress.ip_network, networks)), refuses_private=True)
    assert allowed.refusal(address, 443) == ""


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_allowed(address: str) -> None:
    assert DEFAULT.refusal(address, 443) == ""
    assert STRICT.refusal(address, 443) == ""


def test_an_allowed_network_allows_its_addresses_in_every_form() -> None:
    policy = DestinationPolicy((ipaddress.ip_network("127.0.0.2/32"),))
    assert policy.refusal("127.0.0.2", 80) == ""
    assert policy.refusal("::ffff:127.0.0.2", 80) == ""
    assert policy.refusal("127.0.0.3", 80)


def test_own_servers_are_refused_whatever_is_allowed() -> None:
    everything = (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
    policy = DestinationPolicy(everything, own=(("127.0.0.1", 5432), ("10.9.9.9", 6379)))
    for address in ("127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "0.0.0.0"):
        assert "Backstay itself" in policy.refusal(address, 5432)
        assert policy.refusal(address, 5433) == ""
    assert "Backstay itself" in policy.refusal("10.9.9.9", 6379)
    assert "Backstay itself" in policy.refusal("::ffff:10.9.9.9", 6379)
    assert policy.refusal("10.9.9.8", 6379) == ""


def test_every_address_of_this_machine_counts_as_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no route: it has only loopback addresses")
        address = str(probe.getsockname()[0])
    assert is_local(address)
    assert "this machine" in DEFAULT.refusal(address, 443) or "loopback" in DEFAULT.refusal(address, 443)
    assert not is_local("192.0.2.1")


def test_a_policy_survives_the_way_to_another_process() -> None:
    policy = DestinationPolicy((ipaddress.ip_network("10.0.0.0/8"),), True, (("127.0.0.1", 5432),))
    assert DestinationPolicy.from_json(policy.to_json()) == policy


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_FLUSHALL",
        "javascript:alert(1)",
        "//example.org/",
        "https://",
        "https:///path",
        "https://user@example.org/",
        "https://user:password@example.org/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://exam ple.org/",
        "https://example.org/\r\nX-Injected: 1",
        "https://example.org/\x00",
        "https://ex\u00e4mple.org/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://1.2.3/",
        "https://example..org/",
        "https://[::1/",
        "https://" + "a" * 3000,
    ],
)
def test_urls_that_programs_read_differently_are_refused(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - several messages, none of them about secrets
        web_url(url)


def test_usual_urls_are_accepted_as_they_are() -> None:
    for url in (
        "https://example.org/a?b=c",
        "http://10.1.2.3:8080/x",
        "https://[2001:db8::1]:8443/",
        "http://sink/",
    ):
        assert web_url(url) == url
    assert split_url("https://EXAMPLE.org/").hostname == "example.org"
    assert check_host("n01.cluster") == "n01.cluster"


@given(st.ip_addresses(v=4))
def test_the_mapped_form_is_refused_exactly_when_the_address_is(address: ipaddress.IPv4Address) -> None:
    for policy in (DEFAULT, STRICT):
        assert policy.refusal(f"::ffff:{address}", 80) == policy.refusal(str(address), 80)
        assert policy.refusal(str(ipaddress.ip_address("64:ff9b::") + int(address)), 80) == policy.refusal(
            str(address), 80
        )
