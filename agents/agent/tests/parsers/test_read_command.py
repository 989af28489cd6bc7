"""`backstay-agent read`: its output and exit status for the text of devices."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backstay_agent.cli import app
from backstay_agent.offline_parse.command import lines
from backstay_agent.offline_parse.reader import KINDS, LIMIT, ReadError, read

GOLDEN = Path(__file__).parents[1] / "golden"
OUTPUTS = {
    str(path.relative_to(GOLDEN)): path
    for path in sorted(GOLDEN.rglob("*"))
    if path.is_file() and (path.parent.name != "ib" or path.suffix != ".json")
}
"""Captures; the JSON beside those of InfiniBand is what they were read as."""


def command(*arguments: str, data: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["read", *arguments], input=data)


def shown(result: Result) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(result.stdout)
    return values


@pytest.mark.parametrize("name", OUTPUTS)
def test_captures_are_recognised_and_fully_parsed(name: str) -> None:
    found = read(OUTPUTS[name].read_bytes())
    assert found.unparsed == []
    assert found.values


def test_every_kind_has_a_capture_or_a_short_text() -> None:
    found = {read(path.read_bytes()).kind for path in OUTPUTS.values()}
    assert set(KINDS) - found == set(WRITTEN)


WRITTEN = {
    "gated-conf": (
        "rip yes { broadcast; };\nstatic {\n    default gateway 10.1.0.16 preference 50 retain;\n};\n"
    ),
    "frr-routes": (
        "Codes: K - kernel route, C - connected, S - static,\n"
        "       O - OSPF, > - selected route, * - FIB route\n\n"
        "VRF default:\n"
        "O>* 10.3.0.0/24 [110/20] via 10.1.0.1, eth0, weight 1, 00:10:00\n"
        "  *                      via 10.1.0.2, eth0, weight 1, 00:10:00\n"
        "S   10.3.0.0/24 [200/0] via 10.9.0.1 inactive, weight 1, 00:10:00\n"
        "K>* 10.4.0.0/24 [0/0] unreachable (blackhole), 00:00:09\n"
        "C>* 10.1.0.0/24 is directly connected, eth0, 00:10:00\n"
    ),
    "frr-ports": json.dumps(
        {
            "eth0": {
                "administrativeStatus": "up",
                "operationalStatus": "down",
                "index": 2,
                "mtu": 9000,
                "speed": 10000,
                "hardwareAddress": "02:00:00:00:00:01",
                "vrfName": "default",
                "linkDowns": 3,
                "ipAddresses": [{"address": "10.1.0.9/24", "secondary": False}],
            }
        }
    ),
    "frr-version": "FRRouting 8.4.4 (gw1) on Linux(6.1).\nCopyright\n",
    "ip-route-json": json.dumps(
        [
            {"dst": "default", "gateway": "10.1.0.1", "dev": "eth0", "protocol": "static", "metric": 20},
            {"dst": "10.1.0.0/24", "dev": "eth0", "protocol": "kernel", "scope": "link", "flags": []},
            {"type": "unreachable", "dst": "10.9.0.0/16", "dev": "lo", "flags": []},
            {
                "dst": "10.3.0.0/24",
                "nexthops": [
                    {"gateway": "10.1.0.2", "dev": "eth0", "weight": 1, "flags": []},
                    {"gateway": "10.2.0.2", "dev": "eth1", "weight": 1, "flags": ["dead"]},
                ],
            },
            {"dst": "10.5.0.0/24", "via": {"family": "inet6", "host": "fe80::1"}, "dev": "eth0", "flags": []},
        ]
    ),
    "ibnetdiscover-p": "SW     2  2 0x0002c90200000010 4x SDR - CA  3  1 0x0002c90200000031 ( 'a' - 'b' )\n",
    "perfquery": "# Port counters: Lid 2 port 1 (CapMask: 0x1300)\nPortSelect:......1\nPortXmitWait:....7\n",
    "ib-nodes": 'Ca\t: 0x0002c902000000f0 ports 1 "n14 HCA-1"\n',
    "ibswinfo": "==========\nSwitch\n==========\nports | 36\n----------\nPSU0 status | OK\n  fan | 3\n",
    "ib-sysfs": (
        "/sys/class/infiniband/mlx4_0/ports/1/state:4: ACTIVE\n"
        "/sys/class/infiniband/mlx4_0/ports/1/phys_state:5: LinkUp\n"
        "/sys/class/infiniband/mlx4_0/ports/1/rate:40 Gb/sec (4X QDR)\n"
        "/sys/class/infiniband/mlx4_0/ports/1/gids/0:fe80:0000:0000:0000:0002:c903:0000:0001\n"
        "/sys/class/infiniband/mlx4_0/ports/1/counters/port_rcv_data:12\n"
        "/sys/class/infiniband/mlx4_0/ports/1/pkeys/0:0xffff\n"
    ),
}
"""Short texts of the kinds that no capture is of, in the words of their tools."""


@pytest.mark.parametrize("name", WRITTEN)
def test_short_texts_are_recognised_and_fully_parsed(name: str) -> None:
    found = read(WRITTEN[name].encode())
    assert (found.kind, found.unparsed) == (name, [])


def test_frr_text_routes_keep_every_candidate() -> None:
    found = read(WRITTEN["frr-routes"].encode()).values["candidates"]
    assert [
        (one["prefix"], one["via"], one["preference"], one["selected"], one["usable"]) for one in found
    ] == [
        ("10.3.0.0/24", "10.1.0.1, 10.1.0.2", 110, True, True),
        ("10.3.0.0/24", "10.9.0.1", 200, False, False),
        ("10.4.0.0/24", "unreachable", 0, True, False),
        ("10.1.0.0/24", "eth0", 0, True, True),
    ]


def test_frr_ports_have_state_and_addresses() -> None:
    (port,) = read(WRITTEN["frr-ports"].encode()).values["ports"]
    assert (port["admin_up"], port["oper_up"], port["speed"]) == (True, False, 10_000_000_000)
    assert (port["addresses"], port["link_downs"]) == (["10.1.0.9/24"], 3)


def test_json_and_text_give_the_same_routes() -> None:
    found = read(WRITTEN["ip-route-json"].encode()).values["routes"]
    assert [(one["prefix"], [hop["via"] for hop in one["next_hops"]]) for one in found] == [
        ("0.0.0.0/0", ["10.1.0.1"]),
        ("10.1.0.0/24", [None]),
        ("10.3.0.0/24", ["10.1.0.2"]),
        ("10.5.0.0/24", ["fe80::1"]),
    ]


def test_adapter_files_become_a_port() -> None:
    (port,) = read(WRITTEN["ib-sysfs"].encode()).values["ports"]
    assert port["logical"] == "active"
    assert port["traffic"] == {"PortRcvData": 12}
    assert (port["state"]["speed"], port["state"]["mac"]) == (40_000_000_000, "00:02:c9:03:00:00:00:01")


def test_parsed_values_are_printed_with_exit_code_0() -> None:
    done = command(str(GOLDEN / "grf" / "grcard.txt"))
    assert done.exit_code == 0
    assert shown(done)["kind"] == "grcard"
    assert shown(done)["values"]["cards"][2] == {"slot": 5, "hardware": "ETHER_V1", "state": "held reset"}


def test_unparsed_lines_are_printed_with_exit_code_1() -> None:
    output = (GOLDEN / "grf" / "grcard.txt").read_bytes() + b"Segmentation fault\n"
    done = command("-", data=output)
    assert done.exit_code == 1
    assert (shown(done)["unparsed"], shown(done)["unparsed_count"]) == (["Segmentation fault"], 1)
    assert len(shown(done)["values"]["cards"]) == 4


def test_error_messages_of_a_daemon_are_unparsed_lines() -> None:
    output = (GOLDEN / "frr" / "bfd.txt").read_bytes() + b"% Unknown command: show everything\n"
    assert read(output).unparsed == ["% Unknown command: show everything"]


def test_kind_option_overrides_ambiguous_text() -> None:
    assert command("-", data=b"").exit_code == 2
    done = command("--as", "perfquery", "-", data=b"")
    assert (done.exit_code, shown(done)["values"]) == (0, {"ports": []})


@pytest.mark.parametrize(
    ("arguments", "data", "tokens"),
    [
        (["-"], b"nothing that anybody prints\n", "no kind matches"),
        (["-"], b"sminfo: sm lid 1\nAddress  HWtype  HWaddress\n", "use --as with one of: arp-table, sminfo"),
        (["--as", "grcards", "-"], b"x", "no kind grcards"),
        (["-"], b"\x7fELF\0\0", "NUL octets"),
        (["--as", "grcard", "-"], b"a" * 5000, "longer than"),
        (["--as", "gated", "-"], b"no dump", "no routing table"),
        (["--as", "iperf3", "-"], b'{"sta', "not JSON, or cut off"),
        (["-"], b"\0" * 40, "no kind matches"),
        (["--as", "lnet", "-"], b"net:\n  - [", "not YAML"),
        (["/nowhere/at/all"], b"", "No such file"),
        (["/"], b"", "Is a directory"),
    ],
)
def test_unreadable_input_is_one_line_with_exit_code_2(
    arguments: list[str], data: bytes, tokens: str
) -> None:
    done = command(*arguments, data=data)
    assert (done.exit_code, done.stdout) == (2, "")
    assert tokens in done.stderr
    assert done.stderr.count("\n") == 1
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.99])
def test_truncated_iperf3_document_is_read_up_to_the_damage(part: float) -> None:
    data = (GOLDEN / "iperf3" / "tcp-2-streams-window-64k.json").read_bytes()
    cut = data[: round(len(data) * part)]
    done = command("-", data=cut)
    assert done.exit_code == 1
    found, whole = shown(done), read(data)
    assert found["values"]["result"]["asked"] == whole.values["result"]["asked"]
    assert 0 < found["lost_characters"] < len(cut) / 2
    assert len(found["values"]["result"]["intervals"]) <= len(whole.values["result"]["intervals"])


def test_damaged_document_of_a_sequence_keeps_the_ones_before_it() -> None:
    data = (GOLDEN / "frr" / "bfd.txt").read_bytes() + b'{"10.0.0.0/8": [{"prefix": "10.0.0.0/8", "prot'
    found = read(data)
    assert (found.understood["bfd"], found.lost_characters > 0) == (1, True)


def test_neighbour_after_the_damage_is_lost_and_those_before_it_are_kept() -> None:
    whole = json.loads((GOLDEN / "linux" / "lldpctl.json").read_text())
    entry = whole["lldp"]["interface"]["p0"]
    whole["lldp"]["interface"] = [{f"p{number}": entry} for number in range(9)]
    output = json.dumps(whole)
    place = output.index('"p6"')
    damaged = output[: place + 40] + "\x1b#!" + output[place + 43 :]
    done = command("-", data=damaged.encode())
    found = shown(done)
    assert (done.exit_code, [one["port"] for one in found["values"]["neighbours"]][:6]) == (
        1,
        [f"p{number}" for number in range(6)],
    )
    assert found["lost_characters"] == pytest.approx(len(output) - place, abs=60)


def test_text_with_a_hole_of_nul_octets_and_an_endless_line_is_read_around_them() -> None:
    lines_ = (GOLDEN / "grf" / "grcard.txt").read_bytes().splitlines(keepends=True)
    data = lines_[0] + b"\0" * 512 + b"\n" + b"x" * 9000 + b"\n" + b"".join(lines_[1:])
    found = read(data)
    assert (found.understood, found.unparsed_count) == ({"cards": 4}, 2)
    with pytest.raises(ReadError, match="NUL"):
        read(b"\0" * 512, "grcard")


def test_table_counts_what_was_understood_and_what_was_not() -> None:
    data = (GOLDEN / "grf" / "grcard.txt").read_bytes() + b"Segmentation fault\n"
    head = command("--table", "-", data=data).stdout.splitlines()[0]
    assert head == "read as grcard; understood: 4 cards; not understood: 1"


def test_endless_input_is_read_up_to_the_limit() -> None:
    done = command("/dev/zero")
    assert done.exit_code == 2
    with pytest.raises(ReadError, match="more than 16 MiB"):
        read(io.BytesIO(b"x" * (LIMIT + 1)).read())


def test_yaml_aliases_are_not_expanded() -> None:
    bomb = ["net:", "  - &a [x, x, x, x, x, x, x, x]"]
    for name, before in zip("bcdefghi", "abcdefgh", strict=True):
        bomb.append(f"  - &{name} [{', '.join([f'*{before}'] * 8)}]")
    bomb += ["  - net type: tcp", "    local NI(s):", "      - nid: *i"]
    with pytest.raises(ReadError):
        read("\n".join(bomb).encode(), "lnet")


def test_table_has_one_row_per_entry_without_control_characters() -> None:
    output = b'Ca\t: 0x0002c902000000f0 ports 1 "n14\x1b[31m"\nCa\t: 0x0002c902000000e0 ports 1 "n13"\n'
    done = command("--table", "-", data=output)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    head, first, second = done.stdout.splitlines()[3:6]
    assert head.split() == ["guid", "name", "ports"]
    assert first.index("n14") == second.index("n13") == head.index("name")
    shown_lines = list(lines(read(output + b"\x1b]0;title\x07\n")))
    assert "\x1b" not in "".join(shown_lines)


def test_text_of_old_systems_is_read_as_latin_1() -> None:
    found = read('Ca\t: 0x0002c902000000f0 ports 1 "Knoten für Karlsruhe"\r\n'.encode("latin-1"))
    assert found.values["nodes"][0]["name"] == "Knoten für Karlsruhe"


def _damaged(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data[:4000])
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(found) or 1)
        match chance.randrange(4):
            case 0:
                found[place : place + 1] = bytes((chance.randrange(1, 256),))
            case 1:
                del found[place : place + chance.randrange(40)]
            case 2:
                odd = (b"9" * 40, b"-1", b"\n", b"null", b"[]", b'"x"', b"1e999", b"::", b"/99", b"{}")
                found[place:place] = chance.choice(odd)
            case _:
                del found[place:]
    return bytes(found)


def test_damaged_text_is_parsed_or_refused() -> None:
    chance = random.Random(3)
    for path in OUTPUTS.values():
        data = path.read_bytes()
        kind = read(data).kind
        for _ in range(4):
            try:
                found = read(_damaged(data, chance), kind)
            except ReadError:
                continue
            json.dumps(found.values, allow_nan=False)
