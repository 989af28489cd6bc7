"""ARP peers on a fabric of the lab."""

from __future__ import annotations

import pytest

from backstay_lab.blueprint import Blueprint, End
from backstay_lab.errors import LabError
from backstay_lab.network.resolving import peers_of


def test_all_other_ports_of_a_shared_fabric_are_peers(argonne: Blueprint) -> None:
    peers = peers_of(argonne, End("grf1", "gt000"))
    sharing = {node.name for node in argonne.nodes for port in node.ports if port.fabric == "sp-switch"}
    assert {end.node for end in peers} == sharing - {"grf1"}


def test_peer_on_a_cable_is_its_other_end(argonne: Blueprint) -> None:
    assert peers_of(argonne, End("grf1", "gh010")) == [End("onyx1", "hip0")]


def test_unknown_port_is_refused_with_the_existing_ones(argonne: Blueprint) -> None:
    with pytest.raises(LabError, match="no port css9"):
        peers_of(argonne, End("grf1", "css9"))
