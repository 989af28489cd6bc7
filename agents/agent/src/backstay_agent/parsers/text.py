"""Text from devices: cut to the wire's bounds, otherwise untouched."""

_NAME_LIMIT = 128
_TEXT_LIMIT = 1024


def name(text: str) -> str:
    """`text` as a wire `Name`: 1 to 128 characters."""
    return text[:_NAME_LIMIT] or "?"


def text(value: str) -> str:
    """`value` as a wire `Text`: at most 1024 characters."""
    return value[:_TEXT_LIMIT]


def from_octets(raw: bytes) -> str:
    """A DisplayString or SnmpAdminString (RFC 2579, RFC 3411): UTF-8 where it is, else Latin-1.

    A trailing NUL, which some agents send along, is no part of the text.
    """
    trimmed = raw.rstrip(b"\0")
    try:
        return text(trimmed.decode("utf-8"))
    except UnicodeDecodeError:
        return text(trimmed.decode("latin-1"))


def hardware_address(raw: bytes) -> str:
    """`aa:bb:cc:dd:ee:ff`; at most 20 octets (InfiniBand's), so that it fits the wire's 64 characters."""
    return raw[:20].hex(":")
