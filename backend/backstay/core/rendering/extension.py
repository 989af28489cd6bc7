"""What the site file says of an extension node, for somebody to put there (docs/site-file.md)."""

from __future__ import annotations

from backstay.core.model.extension import MAX_LINK_PACKET, Extension


def site_text(node: str, fabric: str, wanted: Extension) -> str:
    """The node's keys that make it an extension node; its other ports and sources are not known here."""
    facts = {
        "frame": None if wanted.slot is None else wanted.slot.frame,
        "slot": None if wanted.slot is None else wanted.slot.slot,
        "host_offset": wanted.host_offset,
        "max_link_packet": None if wanted.max_link_packet == MAX_LINK_PACKET else wanted.max_link_packet,
    }
    text = ", ".join(f"{key}: {value}" for key, value in facts.items() if value is not None)
    return "\n".join(
        [
            f"  - name: {node}",
            "    kind: gateway",
            f"    node_number: {wanted.number}",
            f"    switch_node_number: {wanted.switch_number}",
            f"    extension: {{port: {wanted.port}, {text}}}",
            "    ports:",
            f"      - {{name: {wanted.port}, fabric: {fabric}, addresses: [{wanted.interface}]}}",
            "",
        ]
    )
