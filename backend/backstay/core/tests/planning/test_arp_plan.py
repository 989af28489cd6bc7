"""ARP plans: changes per node, waves and blocking checks."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.arp import ArpFiles, ArpIntent, PortSettings, RunningPortArp, StaticNeighbour
from backstay.core.model.routing import SavedFile
from backstay.core.planning.arp.plan import make_arp_plan
from backstay.core.planning.arp.site import TableEntry
from backstay.core.tests.planning.arp_sites import (
    FABRIC,
    GRF,
    HAS,
    OFF,
    Complex,
    applied,
    failing,
    found,
    mac,
)

ON = replace(OFF, mode="on")


def test_arp_off_adds_all_entries_in_one_wave() -> None:
    plan = Complex(3).plan()
    assert not failing(plan)
    assert plan.waves == ((1, 2, 3),)
    (port,) = plan.nodes[0].arp.ports.values()
    assert port.arp is False
    assert [(str(neighbour.address), neighbour.mac) for neighbour in port.neighbours] == [
        ("10.1.0.2", mac(2)),
        ("10.1.0.3", mac(3)),
        ("10.1.0.254", mac(GRF)),
    ]
    reported = [
        (difference.what, difference.before, difference.after) for difference in plan.nodes[0].differences
    ]
    assert reported == [("ARP", "on", "off"), ("static entries", "none", "3")]


def test_boot_file_sets_the_flag_before_the_entries() -> None:
    (file,) = Complex(2, with_grf=False).plan().nodes[0].files
    assert file.after == (
        "# BEGIN backstay arp sp-switch\n"
        "link set dev css0 arp off\n"
        f"neigh replace 10.1.0.2 lladdr {mac(2)} dev css0 nud permanent\n"
        "# END backstay arp sp-switch\n"
    )


def test_equal_changes_share_a_shape() -> None:
    assert len({node.shape for node in Complex(5).plan().nodes}) == 1


def test_file_paths_do_not_change_the_shape() -> None:
    site = Complex(3).site()
    files = {node: ArpFiles(f"/n{node}/arp", f"/n{node}/arp.conf") for node in site.files}
    plan = make_arp_plan(replace(site, files=files), (OFF,))
    assert [node.files[0].path for node in plan.nodes] == ["/n1/arp", "/n2/arp", "/n3/arp"]
    assert len({node.shape for node in plan.nodes}) == 1


def test_arp_off_adds_ipv6_entries() -> None:
    both: dict[str, tuple[str, ...]] = {
        name: (f"10.1.0.{n}/16", f"fd00::{n}/64") for n, name in enumerate(["sp01", "sp02"], start=1)
    }
    plan = Complex(2, with_grf=False, addresses=both).plan()
    (port,) = plan.nodes[0].arp.ports.values()
    assert [str(neighbour.address) for neighbour in port.neighbours] == ["10.1.0.2", "fd00::2"]


def test_arp_on_removes_the_entries() -> None:
    site = Complex(3)
    off = site.plan()
    after = replace(
        site.site(),
        observed=applied(off, site.observed()),
        confirmed={node.arp.node_id: node.arp for node in off.nodes},
    )
    plan = make_arp_plan(after, (ON,))
    assert not failing(plan)
    assert len(plan.waves) == 1
    (port,) = plan.nodes[0].arp.ports.values()
    assert port.arp is True
    assert port.neighbours == ()
    assert "neigh" not in plan.nodes[0].files[0].after


def test_rule_violation_names_the_numbers_of_both_nodes() -> None:
    plan = Complex(4, addresses={"sp03": ("10.1.0.9/16",)}).plan()
    assert failing(plan) == {"address_rule"}
    (finding,) = found(plan, "address_rule")
    assert finding.nodes == ("sp03",)
    assert "sp03 has host part 9" in finding.text
    assert "switch node number 253" in finding.text


def test_live_extension_node_that_breaks_the_rule_blocks() -> None:
    plan = Complex(3, addresses={"grf1": ("10.1.9.9/16",)}).plan()
    assert failing(plan) == {"extension_node"}
    (finding,) = found(plan, "extension_node")
    assert "all switch interfaces or on none (Argonne" in finding.text


def test_unreachable_extension_node_that_breaks_the_rule_warns() -> None:
    plan = Complex(3, addresses={"grf1": ("10.1.9.9/16",)}).plan(alive=[1, 2, 3])
    assert [item.level for item in found(plan, "extension_node")] == ["warning"]
    assert not failing(plan)


def test_rule_applies_only_to_sp_switches() -> None:
    plan = Complex(3, kind="hippi", addresses={"sp03": ("10.1.0.9/16",)}).plan()
    assert not failing(plan)


@pytest.mark.parametrize(
    ("site", "check", "text_part"),
    [
        (Complex(3, unmanaged=frozenset({"sp02"})), "arp_managed", "sp02 on sp-switch has an agent but no"),
        (Complex(3, silent=frozenset({"sp02"})), "arp_observed", "sp02 has not reported"),
        (Complex(3, macs={"sp02": ""}), "hardware_addresses", "hardware address of sp02"),
        (
            Complex(3, macs={"sp02": mac(1)}),
            "unique_addresses",
            f"sp01:css0 and sp02:css0 both have {mac(1)}",
        ),
        (
            Complex(3, addresses={"sp02": ("10.1.0.1/16",)}),
            "unique_addresses",
            "sp01:css0 and sp02:css0 both have 10.1.0.1",
        ),
        (Complex(3, table=(("ipv4.gc_thresh3", 2),)), "neighbour_table", "3 ipv4 entries will not fit"),
        (Complex(3, alone={1: (("css0", "10.1.77.1"),)}), "arp_controller", "sp01 would lose the controller"),
        (
            Complex(3, running={"sp02": RunningPortArp("css1", True, mac(2), HAS)}),
            "arp_observed",
            "sp02:css0 does not exist",
        ),
    ],
)
def test_invalid_plans_are_blocked(site: Complex, check: str, text_part: str) -> None:
    plan = site.plan()
    assert check in failing(plan)
    assert any(text_part in item.text for item in found(plan, check)), found(plan, check)


def test_controller_behind_a_member_stays_reachable() -> None:
    assert not failing(Complex(3, alone={1: (("css0", "10.1.0.254"),)}).plan())


def test_unmanaged_node_with_arp_off_does_not_block() -> None:
    site = Complex(3, unmanaged=frozenset({"sp02"}), flags={"sp02": False})
    assert "arp_managed" not in failing(site.plan())


def test_device_without_entries_blocks_and_lists_the_missing_ones() -> None:
    held = {
        "10.1.0.1": TableEntry(mac(1), "static"),
        "10.1.0.2": TableEntry(mac(7), "static"),
        "10.1.0.3": TableEntry(mac(3), "dynamic"),
    }
    plan = Complex(4, held=held).plan()
    assert failing(plan) == {"handed_over"}
    (finding,) = found(plan, "handed_over")
    assert "10.1.0.4 missing" in finding.text
    assert "10.1.0.2 with another hardware address" in finding.text
    assert "10.1.0.3 learnt, but not permanent" in finding.text
    (hand,) = plan.hand_overs
    assert [entry.status for entry in hand.entries] == ["there", "other_mac", "not_lasting", "missing"]
    assert "SwARP" in hand.reminders[0]


def test_device_with_all_entries_passes() -> None:
    plan = Complex(3).plan()
    assert found(plan, "handed_over")[0].level == "passed"
    assert not plan.hand_overs[0].open


def test_mixed_fabric_lists_its_nodes() -> None:
    site = Complex(3, flags={"sp02": False})
    assert "ARP is on at sp01 and sp03, off at sp02" in found(site.plan(), "arp_mixed")[0].text
    left = site.plan(ArpIntent(1, FABRIC, "unmanaged", settings=(("ipv4.conf.arp_ignore", 1),)))
    assert found(left, "arp_mixed")[0].level == "warning"


def test_settings_only_plans_use_normal_waves() -> None:
    plan = Complex(30).plan(ArpIntent(1, FABRIC, "unmanaged", settings=(("ipv4.conf.arp_ignore", 1),)))
    assert not failing(plan)
    assert [len(wave) for wave in plan.waves] == [1, 3, 26]
    assert [
        (difference.what, difference.before, difference.after) for difference in plan.nodes[0].differences
    ] == [("ipv4.conf.arp_ignore", "0", "1")]


def test_port_settings_override_fabric_settings() -> None:
    intent = ArpIntent(
        1,
        FABRIC,
        "unmanaged",
        settings=(("ipv4.conf.arp_ignore", 1),),
        ports=(PortSettings("sp02:*", (("ipv4.conf.arp_ignore", 2),)),),
    )
    plan = Complex(3).plan(intent)
    wanted = {node.arp.node: dict(node.arp.ports["css0"].settings) for node in plan.nodes}
    assert wanted["sp02"] == {"ipv4.conf.arp_ignore": 2}
    assert wanted["sp01"] == {"ipv4.conf.arp_ignore": 1}
    lost = replace(intent, ports=(PortSettings("hip*", ()),))
    assert "No port on sp-switch matches 'hip*'" in found(Complex(3).plan(lost), "arp_settings")[0].text


def test_unsupported_setting_blocks_by_name() -> None:
    intent = ArpIntent(1, FABRIC, "unmanaged", settings=(("ipv4.conf.bc_forwarding", 1),))
    assert "no setting ipv4.conf.bc_forwarding" in found(Complex(2).plan(intent), "arp_settings")[0].text
    table = ArpIntent(1, FABRIC, "unmanaged", table=(("ipv4.gc_thresh3", 4096),))
    assert "belong to the host" in found(Complex(2).plan(table), "arp_settings")[0].text


def test_unordered_table_limits_block() -> None:
    site = Complex(2, table=(("ipv4.gc_thresh1", 128), ("ipv4.gc_thresh2", 512), ("ipv4.gc_thresh3", 1024)))
    plan = site.plan(ArpIntent(1, FABRIC, "unmanaged", table=(("ipv4.gc_thresh3", 256),)))
    assert "neighbour_table" in failing(plan)


def test_wave_above_the_site_limit_warns() -> None:
    assert found(Complex(5, wave_limit=3).plan(), "arp_wave")[0].level == "warning"


def test_wave_size_applies_to_settings_not_to_arp_switch() -> None:
    quiet = ArpIntent(1, FABRIC, "unmanaged", settings=(("ipv4.conf.arp_ignore", 1),))
    site = Complex(8).site()
    assert [len(wave) for wave in make_arp_plan(site, (quiet,)).waves] == [1, 1, 6]
    assert [len(wave) for wave in make_arp_plan(site, (quiet,), wave_size=2).waves] == [1, 1, 2, 2, 2]
    assert [len(wave) for wave in make_arp_plan(site, (OFF,), wave_size=2).waves] == [8]


def test_removed_settings_stay_active_until_the_next_boot() -> None:
    site = Complex(2)
    first = site.plan(ArpIntent(1, FABRIC, "unmanaged", settings=(("ipv4.conf.arp_ignore", 1),)))
    later = replace(
        site.site(),
        observed=applied(first, site.observed()),
        confirmed={node.arp.node_id: node.arp for node in first.nodes},
    )
    plan = make_arp_plan(later, (ArpIntent(1, FABRIC, "unmanaged"),))
    assert "ipv4.conf.arp_ignore = 1 is no longer set" in found(plan, "left_over")[0].text
    assert all(node.arp.fabrics == () for node in plan.nodes)
    assert all(file.after == "" for node in plan.nodes for file in node.files)


def test_incomplete_mark_blocks_with_its_file() -> None:
    site = Complex(2)
    known = site.site()
    files = Complex(2).plan().nodes[0].files
    broken = SavedFile(files[0].path, "1" * 64, "# BEGIN backstay arp sp-switch\n")
    known = replace(known, observed={**known.observed, 1: replace(known.observed[1], files=(broken,))})
    plan = make_arp_plan(known, (OFF,))
    assert "arp_files" in failing(plan)
    assert "never closed" in found(plan, "arp_files")[0].text


def test_digest_changes_with_every_input() -> None:
    first = Complex(3).site().inputs((OFF,))
    assert Complex(3).site(alive=[]).inputs((OFF,)) == first, "recently reporting nodes are no input"
    for other in (
        Complex(4),
        Complex(3, macs={"sp01": mac(77)}),
        Complex(3, wave_limit=2),
        Complex(3, unmanaged=frozenset({"sp01"})),
    ):
        assert other.site().inputs((OFF,)) != first
    assert Complex(3).site().inputs((ON,)) != first


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 6), st.booleans(), st.sets(st.integers(1, 6)))
def test_entries_are_complete_and_planning_is_idempotent(
    count: int, with_grf: bool, already: set[int]
) -> None:
    site = Complex(count, with_grf=with_grf, flags={f"sp{n:02}": False for n in already})
    plan = site.plan()
    assert not failing(plan)
    pairs = [(str(ip), where.id) for ip, where in site.topology().addresses]
    everyone = {ip for ip, _ in pairs}
    for node in plan.nodes:
        (port,) = node.arp.ports.values()
        own = {ip for ip, where in pairs if where == node.arp.node_id}
        assert {str(neighbour.address) for neighbour in port.neighbours} == everyone - own
    again = make_arp_plan(replace(site.site(), observed=applied(plan, site.observed())), (OFF,))
    assert again.waves == ()
    assert not any(node.changes for node in again.nodes)


def test_foreign_entry_is_removed_and_named() -> None:
    stray = StaticNeighbour(ip_address("10.1.0.99"), mac(99))
    running = RunningPortArp("css0", False, mac(1), HAS, (stray,))
    plan = Complex(2, with_grf=False, running={"sp01": running}).plan()
    assert plan.nodes[0].differences[0].after == "1, 10.1.0.2 new, 10.1.0.99 removed"
