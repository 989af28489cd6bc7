"""Running port values compared with the boot files."""

from __future__ import annotations

from backstay.core.diagnosis.saved_ports import RunningPort, SavedValue, compare, saved_ports

CSS0 = RunningPort("css0", 65520, True, ("10.1.0.21/16", "fe80::1/64"))


def test_value_without_boot_file_entry_is_unknown() -> None:
    items = compare([CSS0], saved_ports(["# nothing\nneigh replace 10.1.0.1 lladdr 02:: dev css0\n"]))
    assert {(item.what, item.verdict, item.saved) for item in items} == {
        ("mtu", "unknown", ""),
        ("state", "unknown", ""),
        ("address", "unknown", ""),
    }


def test_differing_values_come_first() -> None:
    text = "link set dev css0 mtu 9180 up\naddress add 10.1.0.21/16 dev css0\n"
    items = compare([CSS0], saved_ports([text]))
    assert items[0] == SavedValue("css0", "mtu", "65520", "9180", "differs")
    assert {(item.what, item.verdict) for item in items[1:]} == {("state", "saved"), ("address", "saved")}


def test_unsaved_and_removed_addresses_differ() -> None:
    saved = saved_ports(["ip addr add 10.1.0.99/16 broadcast + dev css0\n"])
    items = [item for item in compare([CSS0], saved) if item.what == "address"]
    assert items == [
        SavedValue("css0", "address", "10.1.0.21/16", "not set", "differs"),
        SavedValue("css0", "address", "not set", "10.1.0.99/16", "differs"),
    ]


def test_later_lines_override_earlier_ones() -> None:
    first = "link set css0 down\naddr add 10.9.0.1/24 dev css0\n"
    saved = saved_ports([first, "link set dev css0 up arp off\naddr del 10.9.0.1/24 dev css0\n"])["css0"]
    assert (saved.up, saved.addresses, saved.mtu) == (True, [], None)


def test_other_lines_are_ignored() -> None:
    assert saved_ports(["link set\naddress add x\nroute add default via 10.1.0.1\nlink set dev\n"]) == {}
