"""An agent, which runs as root, refuses assignments that name programs or files elsewhere."""

from typing import Any

import pytest

from backstay_agent.allowed_paths import forbidden_paths, permitted
from backstay_wire import (
    ArpFiles,
    Desired,
    Engine,
    EngineKind,
    FileIntent,
    LinuxSource,
    LnetSource,
    NodeRouting,
)
from backstay_wire.allowed_paths import ENGINES, SOURCES
from backstay_wire.engines import BirdSource, GatedSource
from backstay_wire.path_rules import RUNTIME, PathRule, program

LINUX = LinuxSource(device="sp01", interval_s=1)


def desired(**parts: Any) -> Desired:
    sources = [LINUX, *parts.pop("sources", [])]
    return Desired(generation=1, site="lab", node="sp01", sources=sources, paths=[], **parts)


@pytest.mark.parametrize(
    "source",
    [
        LnetSource(device="sp01", interval_s=1, lnetctl="/tmp/lnetctl"),
        LnetSource(device="sp01", interval_s=1, lnetctl="/usr/bin/env"),
        GatedSource(device="sp01", interval_s=1, gdc="reboot"),
        GatedSource(device="sp01", interval_s=1, dump="/etc/shadow"),
        BirdSource(device="sp01", interval_s=1, socket="/run/../root/other"),
        BirdSource(device="sp01", interval_s=1, socket="bird.ctl"),
    ],
)
def test_a_forbidden_source_is_left_out_and_the_others_stay(source: Any) -> None:
    assert permitted(desired(sources=[source]), ()).sources == [LINUX]


@pytest.mark.parametrize(
    "engine",
    [
        Engine(kind=EngineKind.KERNEL, config="/root/.ssh/authorized_keys"),
        Engine(kind=EngineKind.GATED, config="/etc/gated.conf", control="/tmp/gdc"),
        Engine(kind=EngineKind.GATED, config="/etc/gated.conf", control="/usr/sbin/reboot"),
        Engine(kind=EngineKind.BIRD, config="/etc/bird/bird.conf", control="/srv/x/bird.ctl"),
    ],
)
def test_a_forbidden_engine_is_not_managed(engine: Engine) -> None:
    assert permitted(desired(engine=engine), ()).engine is None


def test_files_of_a_change_are_checked() -> None:
    engine = Engine(kind=EngineKind.KERNEL, config="/etc/backstay/routes")
    intent = FileIntent(path="/etc/cron.d/backstay", text="", base="0" * 64)
    routing = NodeRouting(revision=1, engine=engine, routes=[], files=[intent])
    assert forbidden_paths(routing) == ["path '/etc/cron.d/backstay'"]
    assert permitted(desired(routing=routing), ()).routing is None
    assert forbidden_paths(routing, ["/etc/cron.d"]) == []


def test_the_usual_assignments_are_unchanged() -> None:
    files = ArpFiles(config="/etc/backstay/arp", settings="/etc/sysctl.d/60-backstay-arp.conf")
    engine = Engine(kind=EngineKind.BIRD, config="/etc/bird/bird.conf", control="/run/bird/bird.ctl")
    sources = [LnetSource(device="sp01", interval_s=1), GatedSource(device="sp01", interval_s=1)]
    given = desired(engine=engine, arp_files=files, sources=sources)
    assert permitted(given, ()) is given


def test_an_added_folder_includes_what_is_below_it_only() -> None:
    nowhere = PathRule(())
    assert nowhere.allows("/srv/lab/bird.ctl", ["/srv/lab"])
    assert not nowhere.allows("/srv/lab2/bird.ctl", ["/srv/lab"])
    assert not nowhere.allows("/srv/lab/../x", ["/srv/lab"])
    assert nowhere.allows("/anything/at/all", ["/"])


def test_the_rules_are_those_of_the_annotated_fields() -> None:
    assert {kind: set(rules) for kind, rules in SOURCES.items()} == {
        "bird": {"socket"},
        "frr": {"vty_dir"},
        "gated": {"config", "dump", "gdc"},
        "keepalived": {"pid_file", "data"},
        "lnet": {"lnetctl"},
        "ssh": {"key_file"},
    }
    assert ENGINES[EngineKind.GATED]["control"] == program("gdc")
    assert {ENGINES[kind]["control"] for kind in EngineKind if kind is not EngineKind.GATED} == {RUNTIME}
