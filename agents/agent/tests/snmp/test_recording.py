"""Recordings: the format, free text, limits of a device that misbehaves, and `backstay-agent record`."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from backstay_agent.cli import app
from backstay_agent.collectors.snmp.profiles import PROFILES
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import SnmpTimeoutError, Value
from backstay_agent.offline_parse.reader import LIMIT, read
from backstay_agent.parsers import ifmib, ipmib
from backstay_agent.recording import columns
from backstay_agent.recording.addresses import AddressMap
from backstay_agent.recording.anonymiser import anonymise
from backstay_agent.recording.names import NameMap
from backstay_agent.recording.recorder import RawRecording, record
from backstay_agent.recording.replay import replay
from backstay_agent.recording.session import RecordingLimits
from backstay_agent.recording.snmprec import Record, parse, write
from backstay_testing.snmp_responder import LLDP_NAME, Device, Table, serving, source, switch, text
from backstay_wire import Desired, LinuxSource, SshSource

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
_HIGH_SPEED = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 15)


async def recorded(
    device: Device, limits: RecordingLimits | None = None, *, delay_s: float = 0.0
) -> RawRecording:
    async with serving(device, delay_s=delay_s) as port:
        return await record(source(port), limits or RecordingLimits(), HostClock(), timedelta(0))


# --- format ---------------------------------------------------------------------------------------


def test_format_keeps_types_and_octets() -> None:
    name = (1, 3, 6, 1, 2, 1, 1, 5, 0)
    values: list[tuple[int, Value]] = [
        (ber.INTEGER, -5),
        (ber.OCTETS, b"plain, with | and blank"),
        (ber.OCTETS, b" blank at the ends "),
        (ber.OCTETS, b""),
        (ber.OCTETS, b"\x00\xff\n"),
        (ber.OBJECT, (1, 3, 6, 4294967295)),
        (ber.OBJECT, (0, 0)),
        (ber.ADDRESS, b"\x0a\x00\x00\x01"),
        (ber.ADDRESS, b"\x0a"),
        (ber.COUNTER, 2**32 - 1),
        (ber.GAUGE, 7),
        (ber.TICKS, 0),
        (ber.OPAQUE, b"\x9fx\x04\x00"),
        (ber.COUNTER64, 2**64 - 1),
    ]
    records = [Record((*name[:-1], place), *value) for place, value in enumerate(values)]
    data = write({"kept": ["nothing", "else\n# fake"]}, records)
    header, found, odd = parse(data.decode("ascii"))
    assert (found, odd) == (records, [])
    assert header == {"kept": ["nothing", "else # fake"]}
    assert b"|4|plain, with | and blank\n" in data
    assert b"|64|10.0.0.1\n" in data


@pytest.mark.parametrize(
    "line",
    [
        "1.3.6|4",
        "1.3.6.1|41|4294967296|",
        "1.3.6.1|65|4294967296",
        "1.3.6.1|4x|0g",
        "1.3.6.1|2x|00",
        "1.3.6.1|2:counter|min=1",
        "1.3.6.-1|2|1",
        "1.3.6.1|99|x",
        f"1.3.6.1|2|{'9' * 5000}",
        "1.3.6.1|64|10.0.0.256",
        "|2|1",
        "text",
    ],
)
def test_line_that_is_no_object_is_returned(line: str) -> None:
    assert parse(f"1.3.6.1.9|2|1\n{line}\n")[2] == [line]


def test_escapes_of_recorded_text_and_repeated_objects_are_read() -> None:
    _, found, odd = parse("1.3.6.1.9|4e|a\\x00\\n\n1.3.6.1.9|4|again\n.1.3.6.1.8|4|first\n")
    assert [record.value for record in found] == [b"first", b"a\0\n"]
    assert odd == ["1.3.6.1.9|4|again"]


# --- text -----------------------------------------------------------------------------------------


def names(*hosts: str, keeps: bool = False) -> NameMap:
    found = NameMap(Random(7), AddressMap(Random(7)), keeps=keeps)
    for host in hosts:
        found.add_host(host)
    return found


@pytest.mark.parametrize(
    ("original", "gone", "kept"),
    [
        ("Cisco IOS 15.2(4)E7 on gw7", ["gw7"], ["Cisco IOS 15.2(4)E7 on "]),
        ("Dell OS 10.4.3.4, version 9.3.5.1", [], ["Dell OS 10.4.3.4, version 9.3.5.1"]),
        ("at 10.4.3.4/24", ["10.4.3.4"], ["at ", "/24"]),
        ("srv 10.4.3.4", ["10.4.3.4"], ["srv "]),
        ("fe80::20c:29ff:feab:cdef up", ["ab:cdef"], ["fe80::20c:29ff:fe", " up"]),
        ("00:0C:29:AB:CD:EF", ["AB:CD:EF"], ["00:0C:29:"]),
        ("000c.29ab.cdef", ["29ab.cdef"], ["000c.29"]),
        ("log to loghost.dc.example.net", ["loghost", "example"], ["log to "]),
        ("mail admin@dc.example", ["admin", "example"], ["mail "]),
        ("Serial Number: FOC1234X5YZ", ["FOC1234X5YZ"], ["Serial Number: "]),
        ("Serial0/0/1", [], ["Serial0/0/1"]),
        ("Machine Type: 0x0800004c Processor id: 00F9E2D4", ["00F9E2D4"], ["Machine Type: 0x0800004c"]),
        ("C:\\ Label:DATA7  Serial Number 5c2b91e2", ["5c2b91e2", "DATA7"], ["C:\\ Label:"]),
        ("filer3:/vol/home", ["filer3"], [":/vol/home"]),
        ("bridge of gw70 and GW7", ["gw70", "GW7"], ["bridge of "]),
        ("core i7 at 12:34:56", [], ["core i7 at 12:34:56"]),
    ],
)
def test_free_text_loses_names_and_addresses_and_keeps_makes_and_versions(
    original: str, gone: list[str], kept: list[str]
) -> None:
    found = names("gw70.zone.example", "gw7").text(original)
    assert len(found) == len(original) or "." in "".join(gone) or ":" in "".join(gone)
    assert [part for part in gone if part in found] == []
    assert [part for part in kept if part not in found] == []


def test_name_is_replaced_alike_with_and_without_its_domain_and_in_capitals() -> None:
    found = names("core7.site.example")
    label, domain = found.whole("core7.site.example").split(".", 1)
    assert found.text("to CORE7, core7.other") == f"to {label.upper()}, {label}.other"
    assert found.whole("core7") == label
    assert (len(label), domain.count(".")) == (5, 1)


def test_defaults_of_makes_are_no_names() -> None:
    found = names("MikroTik", "Switch")
    assert found.text("MikroTik RouterOS Switch") == "MikroTik RouterOS Switch"
    assert found.whole("MikroTik") == "MikroTik"


def test_host_of_uname_is_replaced_although_sys_name_differs() -> None:
    objects = [
        Record(ifmib.SYS_DESCR, ber.OCTETS, b"Linux hidden9 6.1.0-18-amd64 #1 SMP x86_64"),
        Record(ifmib.SYS_NAME, ber.OCTETS, b"shown"),
    ]
    found = {record.oid: record.value for record in anonymise(objects, Random(1)).records}
    description = found[ifmib.SYS_DESCR]
    assert isinstance(description, bytes)
    assert b"hidden9" not in description
    assert description.endswith(b" 6.1.0-18-amd64 #1 SMP x86_64")


def test_given_texts_are_replaced_everywhere() -> None:
    objects = [Record((*ifmib.IF_DESCR, 1), ber.OCTETS, b"vlan-customer42")]
    (found,) = anonymise(objects, Random(1), secrets=["customer42"]).records
    assert isinstance(found.value, bytes)
    assert found.value.startswith(b"vlan-")
    assert b"customer" not in found.value


def test_each_part_can_be_kept() -> None:
    objects = [
        Record(ifmib.SYS_NAME, ber.OCTETS, b"gw7.site.example"),
        Record(ifmib.SYS_DESCR, ber.OCTETS, b"gw7 at 10.1.2.3, serial number FOC123"),
        Record((*ipmib.OLD_ADDRESS_IF, 10, 1, 2, 3), ber.INTEGER, 1),
        Record((*ifmib.IF_PHYS, 1), ber.OCTETS, bytes.fromhex("000c29abcdef")),
    ]
    kept = write({}, anonymise(objects, Random(1), keep=["names"]).records)
    assert (b"|gw7.site.example" in kept, b"|gw7 at " in kept) == (True, True)
    assert [part for part in (b"10.1.2.3", b"FOC123", b"000c29abcdef") if part in kept] == []
    kept = write({}, anonymise(objects, Random(1), keep=["addresses"]).records)
    assert [part for part in (b"10.1.2.3", b"4.20.1.2.10.1.2.3|", b"000c29abcdef") if part not in kept] == []
    assert [part for part in (b"gw7", b"FOC123") if part in kept] == []


# --- addresses ------------------------------------------------------------------------------------


def test_subnets_hosts_and_gateways_still_match() -> None:
    network = ip_network("192.168.5.0/24")
    found = AddressMap(Random(2), [network])
    addresses = [ip_address(f"192.168.5.{host}") for host in (0, 1, 77, 255)]
    replaced = [found.address(address) for address in addresses]
    assert [int(address) & 0xFF for address in replaced] == [0, 1, 77, 255]
    assert len({int(address) >> 8 for address in replaced}) == 1
    assert str(replaced[0]) != "192.168.5.0"


def test_address_rule_of_a_dependent_node_is_still_kept() -> None:
    entry = (1, 3, 6, 1, 4, 1, 2, 6, 117, 4, 1, 1)
    values: list[tuple[int, int, int | bytes]] = [
        (1, ber.OCTETS, b"grf1"),
        (4, ber.INTEGER, 1),
        (5, ber.INTEGER, 17),
        (6, ber.ADDRESS, bytes((129, 40, 30, 20))),
        (7, ber.ADDRESS, bytes((255, 255, 255, 0))),
        (9, ber.INTEGER, 3),
    ]
    objects = [Record((*entry, column, 16), tag, value) for column, tag, value in values]
    objects += [
        Record(ifmib.SYS_OBJECT_ID, ber.OBJECT, (1, 3, 6, 1, 4, 1, 2, 9)),
        Record((*ifmib.IF_DESCR, 1), ber.OCTETS, b"css0"),
    ]
    found = anonymise(objects, Random(4)).records
    rules = [item.value for item in replay(found).metrics if item.metric == "sp.address_rule"]
    assert rules == ["kept"]
    assert Record((*entry, 6, 16), ber.ADDRESS, bytes((129, 40, 30, 20))) not in found


def test_mapping_whose_result_has_an_original_address_is_drawn_again() -> None:
    addresses = [IPv4Address(f"192.168.{net}.9") for net in (1, 40, 77, 130, 200, 233)]
    objects = [
        Record((*column, *address.packed), tag, value)
        for address in addresses
        for column, tag, value in (
            (ipmib.OLD_ADDRESS_IF, ber.INTEGER, 1),
            (ipmib.OLD_ADDRESS_MASK, ber.ADDRESS, b"\xff\xff\xff\0"),
        )
    ]
    for seed in range(30):
        found = anonymise(objects, Random(seed)).records
        assert {record.oid for record in objects} & {record.oid for record in found} == set(), seed


def test_mapping_is_random() -> None:
    objects = [Record((*ipmib.OLD_ADDRESS_IF, 129, 13, 1, 1), ber.INTEGER, 1)]
    assert len({anonymise(objects, Random(seed)).records[0].oid for seed in range(20)}) > 15


@pytest.mark.shared
@pytest.mark.skipif(not GEAR.is_dir(), reason="../shared/gear is absent")
def test_every_column_with_addresses_or_texts_has_a_rule() -> None:
    """The types and indexes of the MIBs themselves."""
    rows = [line.split("\t") for line in (GEAR / "OID-TABLE.tsv").read_text().splitlines()]
    syntax, indexes = {row[2]: row[4] for row in rows}, {row[2]: row[6] for row in rows}
    free_text = {"DisplayString", "SnmpAdminString"}
    for profile in PROFILES.values():
        for column in profile.columns:
            dotted = ".".join(map(str, column))
            entry = indexes.get(dotted.rpartition(".")[0], "")
            if any(part in entry for part in ("Addr", "Mac")):
                assert column in columns.INDEXES, dotted
            kind = syntax.get(dotted, "")
            if any(part in kind for part in ("Address", "IpAddr", "OCTET", "PhysAddr", "LldpPort", "LldpCh")):
                is_subtype = "Subtype" in kind
                assert is_subtype or column in columns.IDENTITIES, (dotted, kind)
            elif "String" in kind:
                assert kind in free_text, (dotted, kind)


# --- devices --------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_recording_has_exactly_what_the_collectors_ask_for_with_its_types() -> None:
    raw = await recorded(Device(Table(switch())))
    assert raw.incomplete == []
    kept = {record.oid: record for record in raw.records}
    assert (*ifmib.MIB2, 1, 6, 0) not in kept
    assert set(kept) == set(switch()) - {(*ifmib.MIB2, 1, 6, 0)}
    assert kept[ifmib.SYS_UPTIME].tag == ber.TICKS
    assert kept[*ifmib.IF_HC_IN_OCTETS, 1].tag == ber.COUNTER64
    assert kept[*_HIGH_SPEED, 1].tag == ber.GAUGE
    assert kept[*ipmib.OLD_ADDRESS_MASK, 10, 77, 1, 1] == Record(
        (*ipmib.OLD_ADDRESS_MASK, 10, 77, 1, 1), ber.ADDRESS, b"\xff\xff\xff\0"
    )
    assert len(raw.reading.inventory.ports) == len(raw.reading.adjacencies) == 2


@pytest.mark.anyio
async def test_table_without_an_answer_is_named_and_the_others_are_recorded() -> None:
    raw = await recorded(Device(Table(switch()), silent_below=LLDP_NAME[:-2]))
    assert [what for what in raw.incomplete if "no answer" in what] == ["below 1.0.8802.1.1.2.1: no answer"]
    assert not any(record.oid[: len(LLDP_NAME)] == LLDP_NAME for record in raw.records)
    assert len(raw.reading.inventory.neighbours) == 2
    assert "127.0.0.1" not in "".join(raw.incomplete)


@pytest.mark.anyio
async def test_device_that_falls_silent_is_asked_three_more_times() -> None:
    raw = await recorded(Device(Table(switch()), silent_below=(1, 3, 6, 1, 2, 1, 4)))
    assert sum("no answer" in what for what in raw.incomplete) > 3
    assert "no answer to 3 requests in sequence" in raw.incomplete[-1]
    assert len(raw.reading.inventory.ports) == 2


@pytest.mark.anyio
async def test_silent_device_is_an_error() -> None:
    with pytest.raises(SnmpTimeoutError, match="no answer"):
        await recorded(Device(Table(switch()), silent_below=(1,)))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RecordingLimits(objects=20), "the limit of 20 objects"),
        (RecordingLimits(octets=900), "the limit of 900 bytes"),
    ],
)
async def test_limits_end_a_recording_with_what_was_read(limits: RecordingLimits, reason: str) -> None:
    raw = await recorded(Device(Table(switch())), limits)
    assert raw.incomplete[0].endswith(reason)
    assert 5 < len(raw.records) < 30
    anonymise(raw.records, Random(1))


@pytest.mark.anyio
async def test_slow_device_ends_at_the_limit_of_time() -> None:
    big = switch() | {(*ifmib.IF_DESCR, port): text(f"swp{port}") for port in range(3, 400)}
    began = asyncio.get_running_loop().time()
    raw = await recorded(Device(Table(big)), RecordingLimits(seconds=1.0), delay_s=0.1)
    assert asyncio.get_running_loop().time() - began < 3
    assert raw.incomplete[0].endswith("the limit of 1 s")
    assert 20 < len(raw.records) < len(big)
    assert raw.reading.inventory.ports


@pytest.mark.anyio
async def test_value_too_long_for_a_line_is_left_out_and_counted() -> None:
    long = switch() | {(*ifmib.IF_ALIAS, 1): text("x" * 5000)}
    async with serving(Device(Table(long))) as port:
        raw = await record(source(port), RecordingLimits(), HostClock(), timedelta(0))
    assert raw.incomplete == ["1 objects of more than 4000 characters are left out"]
    assert all(record.oid != (*ifmib.IF_ALIAS, 1) for record in raw.records)


# --- command --------------------------------------------------------------------------------------


@asynccontextmanager
async def agent(state: Path, device: Device) -> AsyncIterator[Path]:
    """The state folder of an agent that polls the device."""
    async with serving(device) as port:
        desired = Desired(
            generation=1,
            site="test",
            node="mgmt",
            sources=[
                LinuxSource(device="mgmt", interval_s=1),
                source(port),
                SshSource(
                    device="aix1", interval_s=10, address="192.0.2.1", user="u", system="aix", host_key="k",
                    key_file="/etc/backstay/key",
                ),
            ],
            paths=[],
        )  # fmt: skip
        (state / "desired.json").write_text(desired.model_dump_json())
        yield state


async def run(*arguments: str | Path) -> Result:
    return await asyncio.to_thread(CliRunner().invoke, app, ["record", *map(str, arguments)])


@pytest.mark.anyio
async def test_command_writes_an_anonymised_recording_that_read_understands(tmp_path: Path) -> None:
    output = tmp_path / "out.snmprec"
    async with agent(tmp_path, Device(Table(switch()))) as state:
        done = await run("sw", "--state", state, "--output", output)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "read: 2 ports, 2 neighbours, 2 adjacencies" in done.stdout
    data = output.read_bytes()
    for secret in (
        b"gw7",
        b"site.example",
        b"uplink",
        b"10.77.",
        b"hidden-community",
        b"127.0.0.1",
        b"peer1",
    ):
        assert secret not in data, secret
    assert data.index(b"# SNMP version: 2c") < data.index(b"# kept: nothing") < data.index(b"1.0.8802")
    found = await asyncio.to_thread(read, data)
    assert (found.kind, found.unparsed) == ("snmp", [])
    assert found.understood["ports"] == found.understood["neighbours"] == found.understood["adjacencies"] == 2
    assert found.values["recording"]["interval_s"] == "1"
    assert [table["rows"] for table in found.values["tables"] if table["table"] == "interfaces"] == [2]


@pytest.mark.anyio
async def test_command_of_an_incomplete_recording_exits_with_1(tmp_path: Path) -> None:
    output = tmp_path / "out.snmprec"
    async with agent(tmp_path, Device(Table(switch()), silent_below=LLDP_NAME[:-2])) as state:
        done = await run("sw", "--state", state, "--output", output)
    assert done.exit_code == 1
    assert "incomplete: below 1.0.8802.1.1.2.1: no answer" in done.stdout
    assert b"# incomplete: below 1.0.8802.1.1.2.1: no answer\n" in output.read_bytes()


@pytest.mark.anyio
async def test_command_names_what_is_wrong_and_writes_nothing(tmp_path: Path) -> None:
    output, there = tmp_path / "out.snmprec", tmp_path / "there"
    there.write_text("mine")
    async with agent(tmp_path, Device(Table(switch()), silent_below=(1,))) as state:
        for arguments, message in (
            (("sw", "--state", state, "--output", output), "no answer from 127.0.0.1"),
            (("sw9", "--state", state, "--output", output), "does not poll 'sw9'. It polls: sw"),
            (("aix1", "--state", state, "--output", output), "aix1 is read by ssh"),
            (("sw", "--state", state / "no", "--output", output), "has the agent run with this --state?"),
            (("sw", "--state", state, "--output", there), "exists"),
            (("sw", "--state", state, "--output", output, "--keep", "ports"), "--keep ports: use names"),
        ):
            done = await run(*arguments)
            assert (done.exit_code, done.stdout) == (2, ""), message
            assert message in done.stderr
            assert not output.exists()
    assert there.read_text() == "mine"


@pytest.mark.anyio
async def test_damaged_assignments_are_named(tmp_path: Path) -> None:
    (tmp_path / "desired.json").write_text(json.dumps({"generation": "?"}))
    done = await run("sw", "--state", tmp_path, "--output", tmp_path / "out")
    assert done.exit_code == 2
    assert "damaged or of another version" in done.stderr


def test_limit_of_a_recording_is_below_that_of_its_reader() -> None:
    assert RecordingLimits().octets < LIMIT
