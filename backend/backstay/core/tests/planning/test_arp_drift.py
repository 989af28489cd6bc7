"""ARP drift and the effect of a reboot."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

from backstay.core.model.arp import NodeArp, ObservedArp, RunningPortArp, StaticNeighbour
from backstay.core.planning.arp.drift import arp_drift
from backstay.core.tests.planning.arp_sites import OFF, Complex, applied, mac

QUIET = replace(OFF, settings=(("ipv4.conf.arp_ignore", 1),))


def in_force(count: int = 2) -> tuple[NodeArp, ObservedArp]:
    """sp01 as intended, with matching running and saved state."""
    site = Complex(count, with_grf=False)
    plan = site.plan(QUIET)
    return plan.nodes[0].arp, applied(plan, site.observed())[1]


def other(observed: ObservedArp, **changes: object) -> ObservedArp:
    (port,) = observed.ports
    return replace(observed, ports=(replace(port, **changes),))  # type: ignore[arg-type]


def test_no_drift_when_all_three_are_equal() -> None:
    assert arp_drift(*in_force()) == ()


def test_manually_enabled_arp_is_reverted_by_a_reboot() -> None:
    intended, observed = in_force()
    (item,) = arp_drift(intended, other(observed, arp=True))
    assert (item.kind, item.what, item.reboot) == ("arp", "css0", True)
    assert item.text == "ARP of css0 on sp01 is on, but off is intended. A reboot would make it off."
    assert item.running_differs
    assert not item.saved_differs


def test_unsaved_setting_is_lost_by_a_reboot() -> None:
    intended, observed = in_force()
    unsaved = replace(observed, files=())
    items = {item.what: item for item in arp_drift(intended, unsaved)}
    assert items["css0"].text == (
        "ARP of css0 on sp01 is off, as intended. Its boot file has on, which is not intended."
        " A reboot would make it on."
    )
    assert items["css0 ipv4.conf.arp_ignore"].saved == "not set"
    assert all(item.reboot for item in items.values())
    assert items["css0 10.1.0.2"].saved == "none"


def test_entry_with_wrong_mac_is_one_item() -> None:
    intended, observed = in_force()
    wrong = (StaticNeighbour(ip_address("10.1.0.2"), mac(66)),)
    (item,) = arp_drift(intended, other(observed, neighbours=wrong))
    assert (item.kind, item.what, item.running) == ("neighbour", "css0 10.1.0.2", mac(66))


def test_many_differing_entries_are_one_item() -> None:
    intended, observed = in_force(40)
    (item,) = arp_drift(intended, other(observed, neighbours=()))
    assert item.running == "39 wrong"
    assert item.text.startswith("39 static entries of css0 on sp01 are not as intended: running 10.1.0.2,")


def test_edited_block_without_effect_is_drift() -> None:
    intended, observed = in_force()
    files = tuple(
        replace(file, text=file.text.replace("link set", "# by hand\nlink set")) for file in observed.files
    )
    (item,) = arp_drift(intended, replace(observed, files=files))
    assert (item.kind, item.running_differs, item.saved_differs) == ("arp_file", False, True)


def replaced_by(observed: ObservedArp, *texts: str) -> ObservedArp:
    """Replace the files in plan order: the entries', the settings'."""
    files = tuple(replace(file, text=text) for file, text in zip(observed.files, texts, strict=True))
    return replace(observed, files=files)


def test_replaced_file_with_the_same_effect_is_replaced_not_edited() -> None:
    intended, observed = in_force()
    bare = [
        "".join(f"{line}\n" for line in file.text.splitlines() if "backstay" not in line)
        for file in observed.files
    ]
    items = arp_drift(intended, replaced_by(observed, *bare))
    assert [(item.kind, item.saved, item.reboot) for item in items] == [("arp_file", "replaced", False)] * 2
    assert items[0].text == (
        f"{intended.files.config} of sp01 no longer contains Backstay's block: the whole file was replaced."
        " It contains the intended settings, so a reboot would change nothing now. But changes no longer"
        " update these lines."
    )


def test_replaced_file_states_the_effect_of_a_reboot() -> None:
    intended, observed = in_force()
    items = {
        item.what: item
        for item in arp_drift(intended, replaced_by(observed, "# empty\n", observed.files[1].text))
    }
    file = items[intended.files.config]
    assert (file.kind, file.saved, file.reboot) == ("arp_file", "replaced", True)
    assert file.text.endswith("A reboot would apply its settings, not the intended ones.")
    assert items["css0"].text.endswith("A reboot would make it on.")
    assert intended.files.settings not in items, "that file is as it was"


def test_unreadable_file_is_an_item() -> None:
    intended, observed = in_force()
    files = tuple(replace(file, text="link set css0 arp perhaps\n") for file in observed.files)
    (item,) = arp_drift(intended, replace(observed, files=files))
    assert item.kind == "arp_file"
    assert "the effect of a reboot is unknown" in item.text


def test_missing_port_is_drift() -> None:
    intended, observed = in_force()
    (item,) = arp_drift(intended, replace(observed, ports=(RunningPortArp("hip0", True),)))
    assert item.text == "sp01 has no port css0, but ARP settings are intended for it."
