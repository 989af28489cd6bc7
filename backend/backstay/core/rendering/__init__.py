"""Read and write boot files of the routing engines: pure functions of a node's routing and the file text.

Our text is between marks (`# BEGIN backstay POLICY PREFIX` ... `# END ...`); all other text is the operator's
and stays unchanged byte for byte. The only exception is a hand-written static route of a policy's prefix,
which moves into that policy's block. `render`, `contents` and `saved_routes` raise ValueError with a sentence
that names the line if a file cannot be parsed reliably or a name is not allowed in a file.
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
    """The engine's complete boot file with exactly this routing's blocks. Raises ValueError."""
    return RENDERERS[routing.engine.kind].render(routing, current)


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """The block content of each route, without marks. Raises ValueError.

    The routes are the routing's own, with gateways in any order. For detection `protocol` the content is that
    for a file in which the operator runs no protocol.
    """
    return RENDERERS[routing.engine.kind].contents(routing, routes)


def saved_routes(engine: EngineKind, text: str) -> tuple[RunningRoute, ...]:
    """The routes that this boot file installs: our blocks and hand-written statics. Raises ValueError."""
    return RENDERERS[engine].saved_routes(text)


def validation_errors(engine: EngineKind, text: str) -> list[str]:
    """Reasons why the file cannot be parsed or blocks cannot be placed, as sentences; empty if none."""
    return RENDERERS[engine].validation_errors(text)


def advice(routing: NodeRouting, current: str) -> list[str]:
    """Recommended additions to the operator's part, as sentences. Raises ValueError as `render` does."""
    return RENDERERS[routing.engine.kind].advice(routing, current)
