"""URLs of the objects' web pages."""

from urllib.parse import quote


def node_url(node_id: int) -> str:
    return f"/devices/{node_id}"


def fabric_url(fabric_id: int) -> str:
    return f"/fabrics/{fabric_id}"


def link_url(link_id: int) -> str:
    return f"/links/{link_id}"


def port_url(port_id: int) -> str:
    return f"/ports/{port_id}"


def incident_url(incident_id: int) -> str:
    return f"/incidents/{incident_id}"


def window_url(window_id: int) -> str:
    return f"/maintenance/{window_id}"


def change_url(change_id: int) -> str:
    return f"/changes/{change_id}"


def circuit_url(ident: int) -> str:
    return f"/circuits/{ident}"


def drill_url(drill_id: int) -> str:
    return f"/drills/{drill_id}"


def extension_url(node: int) -> str:
    return f"/extension-nodes/{node}"


def run_url(ident: int | str) -> str:
    return f"/tests/runs/{ident}"


def plan_url(ident: int) -> str:
    return f"/tests/plans/{ident}"


def policy_paths_url(policy: str) -> str:
    """The page of paths, limited to one policy."""
    return f"/paths?policy={quote(policy)}"


def policy_url(policy_id: int) -> str:
    return f"/policies/{policy_id}"


def path_url(path_id: int, node: str) -> str:
    """The page of the node's paths, with this one open."""
    return f"/paths?node={node}&sel={path_id}"


def forecast_url(ident: int) -> str:
    return f"/capacity/forecast/{ident}"


def capacity_url(failure_id: int) -> str:
    """The page of a failure of the newest study."""
    return f"/capacity/{failure_id}"
