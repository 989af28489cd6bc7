"""The configuration that labgated runs with: a gated.conf, the files it includes, and gated's defaults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from pathlib import Path

from backstay_gatedconf import ConfError
from backstay_gatedconf.control import Import
from backstay_gatedconf.destinations import Destination
from backstay_gatedconf.discovery import PREFERENCE as DISCOVERY
from backstay_gatedconf.discovery import Discovery, DiscoveryItem
from backstay_gatedconf.document import Other, Statement, parse_tokens
from backstay_gatedconf.interfaces import InterfacePorts, Interfaces, Scan
from backstay_gatedconf.kernel import Kernel
from backstay_gatedconf.martians import Martian, Martians
from backstay_gatedconf.rip import Rip, RipPorts
from backstay_gatedconf.static import PREFERENCE as STATIC
from backstay_gatedconf.static import StaticRoute, StaticStatement
from backstay_gatedconf.tokens import Token, Tokens, tokenize

KERNEL, RIP, DOWN, REMNANT = 40, 100, 120, 254
"""Default preferences of gated 3.x: kernel routes, RIP, interfaces that are down, remnants."""
NOT_IMPLEMENTED = frozenset(("ospf", "bgp", "egp", "isis", "hello", "aggregate", "generate"))
_INCLUDE_DEPTH = 10
_DEFAULT_MARTIANS = (
    *("127.0.0.0/8", "128.0.0.0/16", "191.255.0.0/16"),
    *("192.0.0.0/24", "223.255.255.0/24", "240.0.0.0/4"),
)


class ConfigError(ValueError):
    """gated would refuse the file, or labgated does not implement it; worded as in gated's parse file."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"parse: {file}:{line} {problem}")
        self.line = line


@dataclass
class Config:
    """One configuration: parsed statements, with gated's defaults for what the file leaves out."""

    send: bool = True
    """False with `options nosend`."""
    strict: bool = False
    scan_s: int = 60
    port_rules: list[InterfacePorts] = field(default_factory=list)
    martians: list[Martian] = field(
        default_factory=lambda: [Martian(Destination(IPv4Network(net))) for net in _DEFAULT_MARTIANS]
    )
    rip: Rip = field(default_factory=lambda: Rip(on=True))
    discovery: Discovery = field(default_factory=lambda: Discovery("client", on=False))
    flush_at_exit: bool = True
    remnant_s: int = 180
    statics: list[StaticRoute] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)

    def accepts(self, prefix: IPv4Network) -> bool:
        """Whether a learned destination is not a martian; the last matching statement decides."""
        found = [martian for martian in self.martians if martian.destination.matches(prefix)]
        return not found or found[-1].allow

    @property
    def rip_preference(self) -> int:
        """Preference of routes learned by RIP."""
        return RIP if self.rip.preference is None else self.rip.preference

    @property
    def discovery_preference(self) -> int:
        """Preference of default routes learned by router discovery."""
        return DISCOVERY if self.discovery.preference is None else self.discovery.preference

    @property
    def discovery_ports(self) -> list[DiscoveryItem]:
        """The `interface` items of `routerdiscovery`."""
        return [item for item in self.discovery.items if item.kind == "interface"]


def rip_password(ports: RipPorts) -> str:
    """The primary simple password, or empty."""
    found = [item.password for item in ports.authentication if not item.secondary]
    return found[-1] if found else ""


def static_preference(route: StaticRoute) -> int:
    """The preference of a static route."""
    return STATIC if route.preference is None else route.preference


def load(path: Path, ports: Iterable[str] | None = None) -> Config:
    """Read a file; with the machine's `ports`, check `strictinterfaces` too.

    Raises ConfigError, also for a file that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(path.name, 0, f"cannot be read: {error.strerror}") from error
    config = parse(text, path.name, path.parent)
    if config.strict and ports is not None:
        _check_ports(config, path.name, frozenset(ports))
    return config


def _check_ports(config: Config, name: str, ports: frozenset[str]) -> None:
    known = ports | {port.rstrip("0123456789") for port in ports} | {"all"}
    for rule in config.port_rules:
        for port in rule.names:
            if port not in known and not port[0].isdigit():
                raise ConfigError(name, 0, f"strictinterfaces: no interface {port}")


def parse(text: str, name: str, folder: Path) -> Config:
    """The configuration of a file's text; `name` is the file's in messages. Raises ConfigError."""
    config = Config()
    try:
        for statement in parse_tokens(Tokens(tuple(_tokens(text, name, folder)), ())).statements:
            _apply(config, statement)
    except ConfError as error:
        raise ConfigError(error.file, error.line, f"syntax error: {error.problem}") from error
    return config


def _tokens(text: str, name: str, folder: Path, depth: int = 0) -> Iterator[Token]:
    """The tokens of a file and of the files it includes, relative to its folder or to `%directory`."""
    found = iter(tokenize(text, name).tokens)
    for token in found:
        if token.kind == "end" and depth:
            return
        if token.kind != "word" or not token.text.startswith("%"):
            yield token
            continue
        argument = next(found)
        if argument.kind != "string":
            raise ConfError(f"{token.text!r} needs a quoted path", token.line, name)
        path = folder / argument.text[1:-1]
        if token.text == "%directory":
            folder = path
        elif token.text == "%include":
            yield from _included(path, token, depth + 1)
        else:
            raise ConfError(f"{token.text!r} is an unknown directive", token.line, name)


def _included(path: Path, directive: Token, depth: int) -> Iterator[Token]:
    if depth > _INCLUDE_DEPTH:
        raise ConfError(
            f"more than {_INCLUDE_DEPTH} files include one another", directive.line, directive.file
        )
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfError(f"cannot include {path}: {error.strerror}", directive.line, directive.file) from error
    yield from _tokens(text, path.name, path.parent, depth)


def _apply(config: Config, statement: Statement) -> None:
    match statement.value:
        case Interfaces(items):
            _apply_interfaces(config, items)
        case Rip() as rip:
            if any(item.kind == "md5" for ports in rip.ports for item in ports.authentication):
                raise _not_implemented(statement, "RIP with MD5")
            config.rip = rip
        case Discovery() as discovery:
            if discovery.role == "client":
                config.discovery = discovery
            elif discovery.on:
                raise _not_implemented(statement, "the server of router discovery")
        case Kernel() as kernel:
            config.flush_at_exit = not kernel.no_flush_at_exit
            config.remnant_s = config.remnant_s if kernel.remnant_hold_s is None else kernel.remnant_hold_s
        case Martians(items):
            config.martians += items
        case StaticStatement(routes):
            config.statics += routes
        case Import() as rule:
            config.imports.append(rule)
        case Other(tokens=("options", *options)):
            config.send = config.send and "nosend" not in options
        case Other(tokens=(name, *_)) if name in NOT_IMPLEMENTED:
            raise _not_implemented(statement, name)


def _apply_interfaces(config: Config, items: Iterable[object]) -> None:
    for item in items:
        if isinstance(item, Scan):
            config.strict = config.strict or item.strict
            config.scan_s = config.scan_s if item.seconds is None else item.seconds
        elif isinstance(item, InterfacePorts):
            config.port_rules.append(item)


def _not_implemented(statement: Statement, what: str) -> ConfError:
    return ConfError(f"labgated does not implement {what}", statement.line, statement.file)
