"""The cables found against the cable list."""

from backstay_agent.collectors.infiniband.cables import End, check

SW = "sw1"
LIST = [((f"n{number}", "hca/1"), (SW, str(number))) for number in range(1, 5)]


def found(*cables: tuple[End, End]) -> dict[End, End]:
    return {one: other for a, b in cables for one, other in ((a, b), (b, a))}


def test_expected_cables_have_no_faults() -> None:
    checked = check(LIST, found(*LIST))
    assert checked.sentences == ()
    assert set(checked.ends.values()) == {"expected"}


def test_cable_list_may_name_either_end_first() -> None:
    assert check([(b, a) for a, b in LIST], found(*LIST)).faults == 0


def test_missing_cable_is_reported_once() -> None:
    checked = check(LIST, found(*LIST[1:]))
    assert checked.ends["n1", "hca/1"] == checked.ends[SW, "1"] == "missing"
    assert checked.sentences == ("n1:hca/1 to sw1:1 is missing",)


def test_unexpected_cable_names_the_unknown_end() -> None:
    stranger = ("0x0002c90200000999", "ca/1")
    checked = check(LIST, found(*LIST, (stranger, (SW, "9"))))
    assert checked.ends[SW, "9"] == "unexpected"
    assert checked.sentences == ("0x0002c90200000999:ca/1 to sw1:9 is not on the list",)


def test_moved_cable_is_one_fault() -> None:
    checked = check(LIST, found(*LIST[1:], (("n1", "hca/1"), (SW, "9"))))
    assert checked.ends["n1", "hca/1"] == "moved"
    assert checked.ends[SW, "1"] == "missing"
    assert checked.ends[SW, "9"] == "unexpected"
    assert checked.sentences == ("n1:hca/1 belongs on sw1:1 and is on sw1:9",)


def test_two_swapped_cables_are_one_fault() -> None:
    swapped = found(*LIST[2:], (("n1", "hca/1"), (SW, "2")), (("n2", "hca/1"), (SW, "1")))
    checked = check(LIST, swapped)
    assert checked.ends["n1", "hca/1"] == checked.ends["n2", "hca/1"] == "swapped"
    assert checked.ends[SW, "1"] == checked.ends[SW, "2"] == "swapped"
    assert len(checked.sentences) == 1
    assert checked.sentences[0].startswith("n1:hca/1 and n2:hca/1 are swapped: ")


def test_three_rotated_cables_are_each_moved() -> None:
    ring = found(*(((f"n{n}", "hca/1"), (SW, str(n % 3 + 1))) for n in (1, 2, 3)), LIST[3])
    checked = check(LIST, ring)
    assert {checked.ends[f"n{n}", "hca/1"] for n in (1, 2, 3)} == {"moved"}
    assert checked.ends["n4", "hca/1"] == "expected"
    assert checked.faults >= 2
