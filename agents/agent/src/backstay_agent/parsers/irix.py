"""IRIX's `uname -a`: `IRIX64 shift7 6.5 07151432 IP27`. Its `netstat -ina` is `parsers.netstat`."""

from backstay_agent.parsers import text


def description(said: str) -> str:
    """System, release and machine, `IRIX64 6.5 IP27`; "" when it is not what uname says."""
    words = said.split()
    if len(words) < 5 or not words[0].startswith("IRIX"):
        return ""
    return text.text(f"{words[0]} {words[2]} {words[4]}")
