"""IRIX's `uname -a`: `IRIX64 shift7 6.5 07151432 IP27`. Its `netstat -ina` is `parsers.netstat`."""

from backstay_agent.parsers import text


def description(output: str) -> str:
    """System, release and machine, `IRIX64 6.5 IP27`; "" if it is not output of uname."""
    tokens = output.split()
    if len(tokens) < 5 or not tokens[0].startswith("IRIX"):
        return ""
    return text.text(f"{tokens[0]} {tokens[2]} {tokens[4]}")
