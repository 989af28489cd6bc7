"""What an agent reports of its host's forwarding, read from a real namespace."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from ipaddress import ip_address

import pytest

from backstay_agent.collectors.linux.host_network import ports
from backstay_agent.host import controller
from backstay_agent.parsers.linux import host_network
from backstay_testing.namespaces import Namespace, join
from backstay_wire import HostNetworkReport

READ = """
import asyncio, sys
from pathlib import Path
from uuid import UUID
from backstay_agent.collectors.context import make_context
from backstay_agent.collectors.linux.host_network import LinuxHostNetwork
from backstay_agent.host.clock import HostClock

async def main():
    def emit(build, *, urgent=False, can_wait=False):
        print(build(UUID(int=1), 1).model_dump_json())
    context = make_context(HostClock(), emit, sys.argv[1])
    collector = LinuxHostNetwork(device="sp01", interval_s=1, backend=context.backend, dumps=context.netlink,
        kernel=context.kernel, clock=context.clock, emit=emit, resolv_conf=Path(sys.argv[2]))
    await collector.start()
    await collector.collect()
    await collector.collect()
    await context.kernel.stop()

asyncio.run(main())
"""


def read(space: Namespace, backend: str, resolv_conf: str = "/nonexistent") -> list[HostNetworkReport]:
    command = [*space.enter(), sys.executable, "-c", READ, backend, resolv_conf]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout
    return [HostNetworkReport.model_validate_json(line) for line in lines.splitlines()]


def sysctl(space: Namespace, setting: str) -> None:
    subprocess.run([*space.enter(), "/usr/sbin/sysctl", "-qw", setting], check=True)


@pytest.mark.netns
def test_sessions_settings_and_rules_of_a_namespace_are_reported(
    make_namespace: Callable[[], Namespace],
) -> None:
    node, other = make_namespace(), make_namespace()
    join(node, "en0", other, "en1")
    node.run("address", "add", "10.255.0.18/24", "dev", "en0")
    before = read(node, "http://10.255.0.1:8000")
    assert len(before) == 1, "the second run finds no change"
    (session,) = before[0].controllers
    assert (str(session.address), str(session.source)) == ("10.255.0.1", "10.255.0.18")
    assert before[0].rules == []
    sysctl(node, "net.ipv4.conf.en0.forwarding=1")
    sysctl(node, "net.ipv4.conf.all.rp_filter=0")
    sysctl(node, "net.ipv4.conf.en0.rp_filter=1")
    node.run("rule", "add", "pref", "100", "from", "10.1.0.0/24", "iif", "en0", "lookup", "7")
    node.run("-6", "rule", "add", "pref", "50", "to", "2001:db8::/32", "unreachable")
    (after,) = read(node, "http://[2001:db8::1]:8000")
    (port,) = [item for item in after.ports if item.port == "en0"]
    assert (port.forwards_ipv4, port.forwards_ipv6, port.rp_filter, port.vrf) == (True, False, 1, "")
    assert after.controllers[0].source is None, "no route to it"
    found = [
        (rule.family, rule.priority, str(rule.source), str(rule.destination), rule.selector, rule.action)
        for rule in after.rules
    ]
    assert found == [
        (4, 100, "10.1.0.0/24", "None", "iif en0", "lookup 7"),
        (6, 50, "None", "2001:db8::/32", "", "unreachable"),
    ]


def test_controller_name_is_resolved_and_addresses_are_kept() -> None:
    assert asyncio.run(controller.addresses("https://10.9.0.1:8443/base")) == [ip_address("10.9.0.1")]
    assert ip_address("127.0.0.1") in asyncio.run(controller.addresses("http://localhost:8000"))
    assert asyncio.run(controller.addresses("")) == []


def test_vrf_and_its_ports_are_named() -> None:
    info = {"attrs": [("IFLA_INFO_KIND", "vrf")]}
    links = [
        {"index": 1, "attrs": {"IFLA_IFNAME": "blue", "IFLA_LINKINFO": info}},
        {"index": 2, "attrs": {"IFLA_IFNAME": "css0", "IFLA_MASTER": 1}},
        {
            "index": 3,
            "attrs": {"IFLA_IFNAME": "en0", "IFLA_LINKINFO": {"attrs": [("IFLA_INFO_KIND", "veth")]}},
        },
    ]
    assert host_network.vrfs(links) == {1: "blue", 2: "blue"}


def test_resolver_lines_without_an_address_are_skipped() -> None:
    text = "# nameserver 1.1.1.1\nnameserver 10.255.0.53\nnameserver fe80::1%en0\nnameserver mars\nsearch x\n"
    assert [str(item) for item in host_network.resolvers(text)] == ["10.255.0.53", "fe80::1"]


def test_unknown_settings_are_none() -> None:
    (port,) = ports(["en0"], {}, {"ipv4/conf/all/rp_filter": "0"})
    assert (port.forwards_ipv4, port.forwards_ipv6, port.rp_filter) == (None, None, None)
