"""Kinds of saved output of InfiniBand: infiniband-diags tools, and an adapter's files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from backstay_agent.parsers.infiniband import ib_counters, ib_links, ib_saved, ib_sm, ib_sysfs, ib_topology
from backstay_agent.parsers.infiniband.ib_topology import PortKey
from backstay_agent.parsers.saved_output import Found, OutputKind, kind


def _lines(output: str) -> list[str]:
    return output.split("\n")


def _ports(found: Mapping[PortKey, Any]) -> list[dict[str, Any]]:
    return [
        {"guid": guid, "port": port, **(value if isinstance(value, dict) else asdict(value))}
        for (guid, port), value in found.items()
    ]


def _topology(output: str) -> Found:
    found = ib_topology.topology(_lines(output))
    return {"nodes": list(found.nodes.values()), "cables": _ports(found.cables)}, list(found.unparsed)


def _saved_ports(output: str) -> Found:
    found, unparsed = ib_saved.ports(_lines(output))
    return {"ports": _ports(found)}, unparsed


def _links(output: str) -> Found:
    found = ib_links.links(_lines(output))
    return {"ports": _ports(found.ports)}, list(found.unparsed)


def _errors(output: str) -> Found:
    found = ib_counters.sweep(_lines(output))
    run = {"complete": found.complete, "nodes": found.nodes_checked, "ports": found.ports_checked}
    return {"run": run, "ports": _ports(found.ports)}, found.unparsed


def _perfquery(output: str) -> Found:
    found, unparsed = ib_saved.counters(_lines(output))
    return {
        "ports": [{"lid": lid, "port": port, **counters} for (lid, port), counters in found.items()]
    }, unparsed


def _nodes(output: str) -> Found:
    found, unparsed = ib_saved.nodes(_lines(output))
    return {
        "nodes": [{"guid": guid, "name": name, "ports": ports} for guid, (name, ports) in found.items()]
    }, unparsed


def _switch(output: str) -> Found:
    found, unparsed = ib_saved.switch_facts(_lines(output))
    return {"switch": found}, unparsed


def _manager(output: str) -> Found:
    lines = [line for line in _lines(output) if line.strip()]
    return {"manager": ib_sm.subnet_manager(lines)}, [
        line for line in lines if ib_sm.subnet_manager([line]) is None
    ]


_FILE = re.compile(r"(?:=== )?(?P<path>\S*\bclass/infiniband/[^\s:]+)(?::(?P<content>.*))?")
_OF_PORT = re.compile(r".*/infiniband/(?P<adapter>[^/]+)/ports/(?P<port>\d+)/(?P<rest>.+)")
_FACTS = {"gids/0": "gid", "gid": "gid"}


def _sysfs(output: str) -> Found:
    """`grep -r . /sys/class/infiniband` (path:content), or a path after `=== ` followed by its content."""
    ports: dict[tuple[str, int], dict[str, dict[str, str]]] = {}
    unparsed: list[str] = []
    for path, content in _files(output, unparsed):
        if (match := _OF_PORT.fullmatch(path)) is not None:
            folder, _, name = match["rest"].rpartition("/")
            files = ports.setdefault((match["adapter"], int(match["port"])), {})
            if folder in ("", "counters", "hw_counters"):
                files.setdefault(folder, {})[name] = content
            elif match["rest"] in _FACTS:
                files.setdefault("", {})[_FACTS[match["rest"]]] = content
    found = {
        key: ib_sysfs.host_port(
            *key, files.get("", {}), files.get("counters", {}), files.get("hw_counters", {})
        )
        for key, files in ports.items()
    }
    for (adapter, port), one in found.items():
        unparsed += [f"{adapter}/{port}/{name}" for name in one.unparsed]
    return {"ports": list(found.values())}, unparsed


def _files(output: str, unparsed: list[str]) -> list[tuple[str, str]]:
    """Each file's path and content; a line that is neither goes to `unparsed`."""
    found: list[tuple[str, str]] = []
    awaited = False
    for line in filter(str.strip, output.splitlines()):
        if (match := _FILE.fullmatch(line)) is not None:
            awaited = match["content"] is None
            found.append((match["path"], match["content"] or ""))
        elif awaited:
            found[-1] = (found[-1][0], line.strip())
            awaited = False
        else:
            unparsed.append(line)
    return found


def _kind(about: str, mark: str, read: Callable[[str], Found]) -> OutputKind:
    return kind(f"InfiniBand: {about}", mark, read)


KINDS: Mapping[str, OutputKind] = {
    "ibnetdiscover": _kind("ibnetdiscover", r'^(?:Switch|Ca|Rt)\s+\d+\s+"[SHR]-[0-9a-f]{16}"', _topology),
    "ibnetdiscover-p": _kind(
        "ibnetdiscover -p", r"^(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-f]{16}\s", _saved_ports
    ),
    "iblinkinfo": _kind("iblinkinfo, iblinkinfo -l", r"\]\s*==\(", _links),
    "ibqueryerrors": _kind(
        "ibqueryerrors", r"^(?:Errors|Data Counters) for |^## Summary: \d+ nodes checked", _errors
    ),
    "perfquery": _kind("perfquery, -x, -E", r"^# .+ counters: Lid \d+ port \d+", _perfquery),
    "ib-nodes": _kind("ibhosts, ibswitches", r"^(?:Ca|Switch|Rt)\s*: 0x[0-9a-f]+ ports ", _nodes),
    "ibswinfo": _kind("ibswinfo", r"^={8,}\n.+\n={8,}$", _switch),
    "sminfo": _kind("sminfo", r"^sminfo: sm lid \d+", _manager),
    "ib-sysfs": _kind("grep -r . /sys/class/infiniband", r"^(?:=== )?\S*\bclass/infiniband/\S", _sysfs),
}
