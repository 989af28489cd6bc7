"""Extension nodes: free switch ports, proposals, checks and the comparison with the router."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Interface

import pytest

from backstay.core.model.extension import Complex, Extension, ReportedExtension, Slot, SwitchNode, slot_of
from backstay.core.model.plan import Finding
from backstay.core.planning.extension.checks import Attachment, check
from backstay.core.planning.extension.compare import compare, drift
from backstay.core.planning.extension.handover import steps
from backstay.core.planning.extension.ports import best, ports
from backstay.core.planning.extension.proposal import propose


def node(number: int, width: int = 1, **more: object) -> SwitchNode:
    known = SwitchNode(
        node=number,
        name=f"sp{number:02}",
        port="css0",
        number=number,
        switch_number=number - 1,
        interface=IPv4Interface(f"10.1.0.{number}/24"),
        slot=slot_of(number),
        width=width,
    )
    return replace(known, **more)  # type: ignore[arg-type]


THIN = tuple(node(number) for number in range(1, 13))
SP = Complex("sp-switch", True, "its nodes run it", 65520, (*THIN, node(15, width=2)))
OFF = replace(SP, arp=False)
OPEN = Extension("grf1", "gt000", None, None, None, None)
GOOD = Extension("grf1", "gt000", Slot(1, 16), 16, 15, IPv4Interface("10.1.0.16/24"), host_offset=1)
REPORTED = ReportedExtension(
    name="grf1",
    number=16,
    token="00010500",
    arp="enabled",
    switch_number=15,
    address="10.1.0.16",
    mask="255.255.255.0",
    max_link_packet=65520,
    host_offset=1,
    config_state="fullyConfigured",
    node_state="nodeUp",
    admin="up",
)


def found(known: Complex, wanted: Extension) -> dict[str, Finding]:
    return {finding.check: finding for finding in check(Attachment(known, "grf1", wanted))}


def test_port_next_to_a_wide_node_is_preferred() -> None:
    known = {port.slot.slot: port for port in ports(SP)}
    assert len(known) == 16
    assert (known[15].use, known[16].use, known[13].use) == ("used", "covered", "empty")
    assert known[16].text == "sp15 fills the slot and uses the port of slot 15."
    assert best(ports(SP)) == known[16]


def test_high_node_leaves_three_free_ports() -> None:
    high = Complex("sp", True, "", 65520, (node(1, width=4), node(33)))
    free = [str(port.slot) for port in ports(high) if port.use == "covered"]
    assert free == ["frame 1 slot 2", "frame 1 slot 3", "frame 1 slot 4"]
    assert {port.slot.frame for port in ports(high)} == {1, 3}


def test_proposal_passes_every_check() -> None:
    proposal = propose(OFF, "grf1", OPEN)
    assert proposal.extension == GOOD
    assert [name for name, _ in proposal.reasons] == [
        "slot", "number", "switch_number", "host_offset", "address",
    ]  # fmt: skip
    assert {finding.level for finding in found(OFF, proposal.extension).values()} == {"passed"}


def test_proposal_keeps_given_values() -> None:
    decided = replace(OPEN, slot=Slot(1, 14), interface=IPv4Interface("10.1.0.200/24"))
    proposal = propose(SP, "grf1", decided).extension
    assert (proposal.slot, proposal.number, proposal.interface) == (Slot(1, 14), 14, decided.interface)
    full = replace(SP, nodes=tuple(node(number) for number in range(1, 17)))
    assert propose(full, "grf1", OPEN).extension.slot is None
    assert found(full, OPEN)["switch_port"].level == "failed"


def test_existing_extension_node_does_not_conflict_with_itself() -> None:
    itself = node(16, name="grf1", port="gt000", extension=True)
    assert {item.level for item in found(replace(SP, nodes=(*SP.nodes, itself)), GOOD).values()} == {"passed"}


@pytest.mark.parametrize(
    ("wanted", "check_name", "text"),
    [
        (replace(GOOD, number=7), "node_number", "grf1 and sp07 would both have node number 7."),
        (
            replace(GOOD, switch_number=6),
            "switch_node_number",
            "grf1 and sp07 would both have switch node number 6.",
        ),
        (
            replace(GOOD, interface=IPv4Interface("10.1.0.7/24")),
            "address",
            "grf1 and sp07 would both have 10.1.0.7.",
        ),
    ],
)
def test_used_numbers_are_refused_with_both_owners(wanted: Extension, check_name: str, text: str) -> None:
    finding = found(SP, wanted)[check_name]
    assert (finding.level, finding.text, finding.nodes) == ("failed", text, ("grf1", "sp07"))


def test_used_port_and_switch_frame_are_refused() -> None:
    taken = found(SP, replace(GOOD, slot=Slot(1, 3)))["switch_port"]
    assert (taken.level, taken.nodes) == ("failed", ("sp03",))
    assert "sp03 uses it" in taken.text
    nowhere = found(SP, replace(GOOD, slot=Slot(2, 1)))["switch_port"]
    assert nowhere.level == "failed"
    assert "never to switch frames" in nowhere.text


def test_rule_violation_warns_with_arp_and_fails_without() -> None:
    wrong = replace(GOOD, interface=IPv4Interface("10.1.0.40/24"))
    assert found(SP, wrong)["arp_rule"].level == "warning"
    refused = found(OFF, wrong)["arp_rule"]
    assert refused.level == "failed"
    assert "Its host part must be 16." in refused.text
    assert "ANL/MCS-P747-1298" in refused.text
    assert found(OFF, replace(GOOD, host_offset=3))["host_offset"].level == "failed"
    assert found(SP, replace(GOOD, host_offset=3))["host_offset"].level == "warning"


@pytest.mark.parametrize(
    ("octets", "level"), [(65520, "passed"), (65521, "failed"), (9180, "failed"), (65519, "failed")]
)
def test_largest_packet_must_match_the_switch(octets: int, level: str) -> None:
    assert found(SP, replace(GOOD, max_link_packet=octets))["mtu"].level == level


def test_address_outside_the_network_is_refused() -> None:
    for text in ("10.2.0.16/24", "10.1.0.16/16", "10.1.0.0/24", "10.1.0.255/24"):
        assert found(SP, replace(GOOD, interface=IPv4Interface(text)))["address"].level == "failed", text


def test_matching_router_has_no_differences() -> None:
    rows = compare(SP, GOOD, REPORTED)
    assert drift(rows) == ()
    verdicts = {row.key: row.verdict for row in rows}
    assert verdicts.pop("token") == "not_declared"
    assert set(verdicts.values()) == {"same"}


def test_differences_have_texts_severe_first() -> None:
    reported = replace(REPORTED, number=17, switch_number=14, arp="disabled")
    found = drift(compare(SP, GOOD, reported))
    assert [row.key for row in found] == ["arp", "switch_number", "number"]
    assert found[1].text == (
        "Switch node number is 14 on the router but 15 is intended:"
        " packets for it are sent to another port of the switch."
    )
    assert [row.severe for row in found] == [True, True, False]


def test_wrong_host_offset_is_severe_only_without_arp() -> None:
    reported = replace(REPORTED, host_offset=2, arp="disabled")
    (offset,) = [row for row in drift(compare(OFF, GOOD, reported)) if row.key == "host_offset"]
    assert offset.severe
    (offset,) = [row for row in drift(compare(SP, GOOD, reported)) if row.key == "host_offset"]
    assert not offset.severe


def test_bad_state_is_degraded_not_drift() -> None:
    rows = {row.key: row for row in compare(SP, GOOD, replace(REPORTED, config_state="driverLoadFailed"))}
    assert rows["config_state"].verdict == "degraded"
    assert drift(tuple(rows.values())) == ()


def test_router_without_row_is_not_reported() -> None:
    assert {row.verdict for row in compare(SP, GOOD, None)} == {"not_reported"}


def test_steps_name_commands_and_values_only() -> None:
    known = steps(SP, replace(GOOD, switch_port=(1, 5, 0)))
    assert [step.command for step in known] == ["endefnode", "endefadapter", "enadmin -a reconfigure", "", ""]
    assert dict(known[0].values) == {
        "name": "grf1",
        "node_number": "16",
        "switch_node_number": "15",
        "switch_number": "1",
        "switch_chip": "5",
        "switch_chip_port": "0",
    }
    assert ("arp_enabled", "no") in steps(OFF, GOOD)[1].values
