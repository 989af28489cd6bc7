"""A release in real namespaces without an agent: one of two policies, and ARP."""

import tempfile
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from backstay_agent.actuators import arp
from backstay_agent.guard import snapshot
from backstay_agent.release.baseline import Baseline, remember
from backstay_agent.release.record import ReleaseRecord, Scope
from backstay_agent.release.releaser import ReleaseOutcome, Releaser
from backstay_testing.engines import Node, node
from backstay_wire import (
    ArpFiles,
    ChangeAssignment,
    Desired,
    Engine,
    EngineKind,
    FileIntent,
    NodeArp,
    NodeRouting,
    Phase,
    PolicyRoute,
    PortArp,
    StaticNeighbour,
)
from backstay_wire.routing import Detection, Hop, marks

pytestmark = [pytest.mark.netns, pytest.mark.timeout(60)]
ORIGINAL = (
    "# the operator's\nroute replace 10.1.0.0/16 via 10.77.2.1 dev p2 metric 5\n"
    "route replace 10.2.0.0/16 via 10.77.2.1 dev p2 metric 5\n"
)
LINE = "route replace {} via 10.77.1.1 dev p1 metric 60 proto 201\n"


@pytest.fixture
def place(make_namespace: object) -> Iterator[Node]:
    with node() as made:
        yield made


def record(scope: Scope, *policies: str) -> ReleaseRecord:
    return ReleaseRecord(id="r1", at_ns=1, by="root", scope=scope, policies=policies, revision=7)


def release(
    place: Node, state: Path, wanted: ReleaseRecord, desired: Desired, baseline: Baseline
) -> ReleaseOutcome:
    return place.run(lambda: Releaser(state, wanted, desired, baseline).run())


def desired_of(assignment: ChangeAssignment, files: ArpFiles | None = None) -> Desired:
    return Desired(
        generation=1,
        site="lab",
        node="sp01",
        sources=[],
        paths=[],
        routing=assignment.routing,
        arp_files=files,
        arp=assignment.arp,
    )


def test_one_released_policy_returns_to_the_operator_and_the_other_stays(place: Node, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="bsglass") as folder:
        config = Path(folder) / "routes.batch"
        config.write_text(ORIGINAL)
        place.ask("ip", "-batch", str(config))
        engine = Engine(kind=EngineKind.KERNEL, config=str(config))
        prefixes = {"a": "10.1.0.0/16", "b": "10.2.0.0/16"}
        blocks = {
            name: f"{marks(name, prefix)[0]}\n{LINE.format(prefix)}{marks(name, prefix)[1]}\n"
            for name, prefix in prefixes.items()
        }
        hop = Hop(gateway="grf1", address=ip_address("10.77.1.1"), port="p1", preference=60)
        routes = [
            PolicyRoute(policy=name, prefix=ip_network(prefix), hops=[hop], detection=Detection.CHECKER)
            for name, prefix in prefixes.items()
        ]
        managed = f"# the operator's\n{blocks['a']}{blocks['b']}"
        files = [FileIntent(path=str(config), text=managed, base="")]
        routing = NodeRouting(revision=7, engine=engine, routes=routes, files=files)
        change = ChangeAssignment(change=7, revision=7, phase=Phase.CONFIRM, routing=routing)
        before = place.run(lambda: snapshot.take(None, [], [str(config)]))
        baseline = remember(Baseline(), change, before)
        config.write_text(managed)
        place.ask("ip", "route", "flush", "proto", "boot")
        place.ask("ip", "-batch", str(config))

        outcome = release(place, tmp_path, record("policies", "a"), desired_of(change), baseline)
        assert outcome.left == []
        assert config.read_text() == f"# the operator's\n{ORIGINAL.splitlines(keepends=True)[1]}{blocks['b']}"
        assert "via 10.77.2.1 dev p2 metric 5" in place.ask("ip", "route", "show", "10.1.0.0/16")
        assert "via 10.77.1.1 dev p1 proto 201" in place.ask("ip", "route", "show", "10.2.0.0/16")

        outcome = release(place, tmp_path, record("routing"), desired_of(change), baseline)
        assert outcome.left == []
        assert config.read_text() == ORIGINAL
        assert place.ask("ip", "route", "show", "proto", "201") == ""


def test_a_default_route_of_unknown_origin_stays_and_other_routes_go(place: Node, tmp_path: Path) -> None:
    """Deployed by an agent that kept no earlier state: without a default route the node might be lost."""
    with tempfile.TemporaryDirectory(prefix="bsglass") as folder:
        config = Path(folder) / "routes.batch"
        texts = [
            f"{marks(name, prefix)[0]}\n{LINE.format(prefix)}{marks(name, prefix)[1]}\n"
            for name, prefix in (("a", "0.0.0.0/0"), ("b", "10.255.0.1/32"))
        ]
        config.write_text("".join(texts))
        place.ask("ip", "-batch", str(config))
        engine = Engine(kind=EngineKind.KERNEL, config=str(config))
        outcome = release(
            place,
            tmp_path,
            record("routing"),
            Desired(generation=1, site="lab", node="sp01", sources=[], paths=[], engine=engine),
            Baseline(),
        )
        assert ["not known" in line for line in outcome.left] == [True]
        assert config.read_text() == LINE.format("0.0.0.0/0")
        assert "via 10.77.1.1" in place.ask("ip", "route", "show", "default")
        assert place.ask("ip", "route", "show", "10.255.0.1/32") == ""


def test_stop_managing_restores_arp_and_its_boot_files(place: Node, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="bsglass") as folder:
        paths = ArpFiles(config=f"{folder}/arp.batch", settings=f"{folder}/arp.conf")
        Path(paths.settings).write_text("# the operator's\n")
        block = "# BEGIN backstay arp sp-switch\n{}\n# END backstay arp sp-switch\n"
        settings = "# the operator's\n" + block.format("net.ipv4.conf.p1.arp_ignore = 1")
        files = [
            FileIntent(path=paths.config, text=block.format("link set dev p1 arp off"), base=""),
            FileIntent(path=paths.settings, text=settings, base=""),
        ]
        entry = StaticNeighbour(address=ip_address("10.77.1.1"), mac="02:00:00:00:00:01")
        port = PortArp(port="p1", arp=False, settings={"ipv4.conf.arp_ignore": 1}, neighbours=[entry])
        wanted = NodeArp(revision=7, ports=[port], files=files)
        change = ChangeAssignment(change=7, revision=7, phase=Phase.CONFIRM, arp=wanted)
        before = place.run(lambda: snapshot.take(None, [], [paths.config, paths.settings], ["p1"]))
        baseline = remember(Baseline(), change, before)
        place.run(lambda: arp.apply(wanted))
        for file in files:
            Path(file.path).write_text(file.text)
        assert "NOARP" in place.ask("ip", "link", "show", "p1")

        desired = desired_of(change, paths)
        kept = place.run(
            lambda: Releaser(tmp_path, record("everything"), desired, baseline, keep_arp=True).run()
        )
        assert kept.left == []
        assert "NOARP" in place.ask("ip", "link", "show", "p1")
        outcome = release(place, tmp_path, record("everything"), desired, baseline)
        assert outcome.left == []
        assert "NOARP" not in place.ask("ip", "link", "show", "p1")
        assert place.ask("ip", "neighbour", "show", "nud", "permanent", "dev", "p1") == ""
        assert place.ask("sysctl", "-n", "net.ipv4.conf.p1.arp_ignore").strip() == "0"
        assert not Path(paths.config).exists()
        assert Path(paths.settings).read_text() == "# the operator's\n"
