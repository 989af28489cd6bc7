"""Circuits for tests: strategies, and one circuit through two switches."""

from __future__ import annotations

from hypothesis import strategies as st

from backstay.core.model.circuit import MAX_VCI, MAX_VCI_ON_VPI_0, Circuit, CircuitNode, Label, Shape, Side
from backstay.core.rendering.gratm.statements import PROTOS, Interface, Pvc, Statements

labels = st.one_of(
    st.builds(Label, st.just(0), st.integers(32, MAX_VCI_ON_VPI_0)),
    st.builds(Label, st.integers(1, 15), st.integers(32, MAX_VCI)),
)
ports = st.builds("ga0{:x}{:x}".format, st.integers(0, 15), st.integers(0, 15))
names = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_]{0,12}\Z")
kilobits = st.integers(1, 10**7).map(lambda number: number * 1000)
shapes = st.builds(
    Shape,
    names,
    kilobits,
    st.none() | kilobits,
    st.none() | st.integers(0, 10**6),
    st.sampled_from([None, "high", "low"]),
)
pvcs = st.one_of(
    st.builds(
        Pvc,
        ports,
        labels,
        st.sampled_from(PROTOS),
        st.sampled_from([None, "3", "5", "NONE"]),
        st.none() | names,
    ),
    st.builds(Pvc, ports, labels, st.just("raw"), st.none(), st.none() | names, ports, st.none() | labels),
)
interfaces = st.builds(Interface, ports, st.none() | names, st.none() | names)
statements = st.builds(
    Statements,
    st.lists(shapes, max_size=4).map(tuple),
    st.lists(interfaces, max_size=3).map(tuple),
    st.lists(pvcs, max_size=8).map(tuple),
)

OC12 = Shape("oc12", 500_000_000, 500_000_000, 2048, "high")


def pvc(name: str = "grf-origin", *numbers: int) -> Circuit:
    """From grf1 through two switches to origin1; six VCIs, one per side, default 130."""
    vci = [Label(0, number) for number in (numbers or (130,) * 6)]
    return Circuit(
        name,
        "pvc",
        (
            CircuitNode("grf1", None, Side("ga030", vci[0]), OC12),
            CircuitNode("asx1", Side("1A1", vci[1]), Side("1B1", vci[2]), OC12),
            CircuitNode("asx2", Side("2A1", vci[3]), Side("2B1", vci[4]), OC12),
            CircuitNode("origin1", Side("at0", vci[5]), None, OC12),
        ),
    )
