"""Boot files of the engines, written and read: pure functions of a node's routing and the file as it is.

What is ours stands between marks (`# BEGIN backstay POLICY PREFIX` ... `# END ...`); the rest is the
operator's and stays octet for octet. Only a hand-written static route of the very prefix of a policy moves
into that policy's block. `render`, `contents` and `saved_routes` raise ValueError with a sentence that names
the line when a file cannot be read with certainty or a name is not fit to be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backstay.core.model.routing import EngineKind, NodeRouting, PolicyRoute, RunningRoute
from backstay.core.rendering.bird import renderer as bird
from backstay.core.rendering.frr import renderer as frr
from backstay.core.rendering.gated import renderer as gated
from backstay.core.rendering.kernel import renderer as kernel
from backstay.core.rendering.renderer import Renderer

RENDERERS: Mapping[EngineKind, Renderer] = {
    EngineKind.KERNEL: kernel,
    EngineKind.FRR: frr,
    EngineKind.BIRD: bird,
    EngineKind.GATED: gated,
}
"""One for each of `model.routing.ENGINES`."""


def render(routing: NodeRouting, current: str) -> str:
    """The engine's whole boot file with exactly this routing's blocks in place. Raises ValueError."""
    return RENDERERS[routing.engine.kind].render(routing, current)


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """What stands between the marks of each route, without them. Raises ValueError.

    The routes are the routing's own, their gateways in any order. For detection `protocol` it is what a file
    without a protocol of the operator's gets.
    """
    return RENDERERS[routing.engine.kind].contents(routing, routes)


def saved_routes(engine: EngineKind, text: str) -> tuple[RunningRoute, ...]:
    """What this boot file would install: our blocks and hand-written statics. Raises ValueError."""
    return RENDERERS[engine].saved_routes(text)


def validation_errors(engine: EngineKind, text: str) -> list[str]:
    """Why we cannot read the file or place anything in it, in sentences; empty: we can."""
    return RENDERERS[engine].validation_errors(text)


def advice(routing: NodeRouting, current: str) -> list[str]:
    """What the operator's own part should have besides, in sentences. Raises ValueError as `render` does."""
    return RENDERERS[routing.engine.kind].advice(routing, current)
