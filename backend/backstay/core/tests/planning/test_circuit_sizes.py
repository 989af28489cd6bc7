"""Cost of connectivity patterns, and the advice."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from backstay.core.planning.circuits.mesh import Group, Mesh, Pattern, numbered, pairs
from backstay.core.planning.circuits.recommendation import advise
from backstay.core.planning.circuits.routes import SwitchRow
from backstay.core.planning.circuits.sizes import Size, sizes

ARGONNE = Mesh((numbered("sp", 98), numbered("atm", 12)), hub="grf1")


def by_pattern(mesh: Mesh, switches: int) -> dict[str, Size]:
    return {size.pattern: size for size in sizes(mesh, switches)}


def test_98_nodes_and_12_atm_hosts_need_5995_circuits_in_a_full_mesh() -> None:
    found = by_pattern(ARGONNE, 3)
    assert {path: size.circuits for path, size in found.items()} == {
        "full": 5995,
        "between": 1176,
        "hub": 110,
        "svc": 0,
        "vlan": 1,
    }
    full = found["full"]
    assert (full.per_port, full.statements, full.one_more) == (109, 5995 * 5, 110 * 5)
    assert all(size.fits for size in found.values())


@given(
    st.lists(st.integers(1, 7), min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from(["full", "between", "hub"]),
    st.booleans(),
)
def test_sizes_match_counted_circuits(
    counts: list[int], switches: int, pattern: Pattern, hub_inside: bool
) -> None:
    groups = tuple(numbered(f"g{place}x", count) for place, count in enumerate(counts))
    hub = groups[0].members[0] if hub_inside else "hub"
    mesh = Mesh(groups, hub)
    found = by_pattern(mesh, switches).get(pattern)
    if found is None:
        assert pattern == "between"
        assert len(counts) == 1
        return
    made = list(pairs(mesh, pattern))
    assert found.circuits == len(made)
    members = mesh.members if hub_inside else (hub, *mesh.members)
    ports = [sum(name in pair for pair in made) for name in members]
    assert found.per_port == max(ports)
    names = [f"s{number}" for number in range(switches)]
    row = SwitchRow(members, names, {})
    trunks = [
        sum(((here, f"to-{there}"), (there, f"to-{here}")) in _both(row.path(*pair)) for pair in made)
        for here, there in pairwise(names)
    ]
    assert found.trunk == max(trunks, default=0)


def _both(
    path: list[tuple[tuple[str, str], tuple[str, str]]],
) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    return {*path, *((end, start) for start, end in path)}


def test_full_mesh_contains_all_pairs() -> None:
    group = Group("g", ("a", "b", "c"))
    assert list(pairs(Mesh((group,)), "full")) == list(combinations("abc", 2))


def test_large_mesh_is_advised_to_use_svcs() -> None:
    advice = advise(sizes(ARGONNE, 3), "full", frozenset({"pvc", "svc"}))
    assert advice.pattern == "svc"
    assert "5\u202f995 PVCs need 29\u202f975 lines" in advice.text
    assert "with SVCs it is 110 lines" in advice.text


def test_hub_is_advised_without_svcs() -> None:
    advice = advise(sizes(ARGONNE, 3), "full", frozenset({"pvc"}))
    assert advice.pattern == "hub"
    assert "110 PVCs to the hub" in advice.text
    assert "second hop" in advice.text


def test_vlan_is_advised_if_available() -> None:
    advice = advise(sizes(ARGONNE, 3), "full", frozenset({"pvc", "svc", "vlan"}))
    assert advice.pattern == "vlan"
    assert advice.text.startswith("One VLAN replaces 5\u202f995 PVCs: 114 lines instead of 29\u202f975")


def test_small_mesh_is_configured_by_hand() -> None:
    advice = advise(sizes(Mesh((numbered("h", 5),)), 1), "full", frozenset({"pvc", "svc"}))
    assert advice.pattern == "full"
    assert "10 PVCs in 30 lines" in advice.text


def test_mesh_above_the_port_capacity_does_not_fit() -> None:
    mesh = Mesh((numbered("h", 400),), hub="gw")
    found = sizes(mesh, 2)
    assert not found[0].fits
    assert found[0].trunk > 39_936
    assert (
        "39\u202f936 labels: the mesh does not fit. Use SVCs."
        in advise(found, "full", frozenset({"pvc", "svc"})).text
    )
