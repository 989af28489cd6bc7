"""Which characters text may hold: one rule for agents, ingest, public API and site files.

Devices send what they like, so agents and ingest replace forbidden characters; clients of the public API get
an error. Names and paths that an administrator writes are one printable line.
"""

import re

CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
"""Character class: controls but tab and line breaks. PostgreSQL holds no NUL, terminals obey the rest."""
FORBIDDEN = re.compile(rf"[{CONTROLS}\ud800-\udfff]")
"""Controls and lone surrogates, which UTF-8 cannot encode."""
UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
"""Character class: all controls, line and paragraph separators."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def replaced(text: str) -> str:
    """`text` with forbidden characters replaced: one packet that contains them must not cost a report."""
    return FORBIDDEN.sub(REPLACEMENT, text)


def complaint(text: str) -> str | None:
    """Why a client's text is refused; None if it is not."""
    found = FORBIDDEN.search(text)
    if found is None:
        return None
    code = ord(found[0])
    kind = "lone surrogate" if code > 0xFF else "control character"
    return f"Text must not contain the {kind} U+{code:04X}."
