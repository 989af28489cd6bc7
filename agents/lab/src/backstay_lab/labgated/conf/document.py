"""A whole gated.conf: statements in the order of their classes, which gated enforces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from backstay_lab.labgated.conf import control, interfaces, protocols, static
from backstay_lab.labgated.conf.config import Config
from backstay_lab.labgated.conf.cursor import Cursor
from backstay_lab.labgated.conf.tokens import SyntaxFault, tokens

CLASSES = ("", "options", "interfaces", "definition", "protocol", "static", "control")
Handler = Callable[[Cursor, Config], None]

STATEMENTS: dict[str, tuple[int, Handler]] = {
    "traceoptions": (0, lambda at, _config: interfaces.trace(at)),
    "options": (1, interfaces.options),
    "interfaces": (2, interfaces.interfaces),
    "autonomoussystem": (3, interfaces.autonomous_system),
    "routerid": (3, interfaces.router_id),
    "martians": (3, interfaces.martians),
    "rip": (4, protocols.rip),
    "redirect": (4, protocols.redirect),
    "icmp": (4, protocols.icmp),
    "kernel": (4, protocols.kernel),
    "snmp": (4, protocols.snmp),
    "routerdiscovery": (4, protocols.router_discovery),
    "static": (5, static.static),
    "import": (6, control.import_),
    "export": (6, control.export),
}
"""First word -> (class, handler); class 0 may stand anywhere."""
NOT_PLAYED = frozenset(("ospf", "bgp", "egp", "isis", "hello", "aggregate", "generate"))


def read(text: str, name: str, folder: Path) -> Config:
    """The configuration of a file's text; `name` is the file's in messages. Raises SyntaxFault."""
    at = Cursor(tokens(text, name, folder), name)
    config = Config()
    reached = 0
    while not at.at_end():
        word = at.peek()
        if word in NOT_PLAYED:
            at.fail("gated knows this statement, its stand-in does not")
        if word not in STATEMENTS:
            at.fail("a statement should begin here")
        place, handler = STATEMENTS[word]
        if 0 < place < reached:
            at.fail(f"{CLASSES[place]} statements come before {CLASSES[reached]} statements")
        reached = max(reached, place)
        at.word()
        handler(at, config)
    return config


def load(path: Path, ports: Iterable[str] | None = None) -> Config:
    """Read a file; with `ports`, those of the machine, `strictinterfaces` is checked too.

    Raises SyntaxFault, also for a file that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SyntaxFault(path.name, 0, f"cannot be read: {error.strerror}") from error
    config = read(text, path.name, path.parent)
    if config.strict and ports is not None:
        _check_ports(config, path.name, frozenset(ports))
    return config


def _check_ports(config: Config, name: str, ports: frozenset[str]) -> None:
    for rule in config.port_rules:
        for port in rule.ports:
            if port != "all" and not port[0].isdigit() and not any(_means(port, item) for item in ports):
                raise SyntaxFault(name, 0, f"strictinterfaces: there is no interface {port}")


def _means(word: str, port: str) -> bool:
    return word in {port, port.rstrip("0123456789")}
