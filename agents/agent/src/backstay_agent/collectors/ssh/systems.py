"""The systems that can be read over ssh, by their name in the site file."""

from collections.abc import Mapping

from backstay_agent.collectors.ssh import aix, grf, irix, linux, solaris, vyos
from backstay_agent.collectors.ssh.view import Read

READS: Mapping[str, Read] = {
    "aix": aix.read,
    "grf": grf.read,
    "irix": irix.read,
    "linux": linux.read,
    "solaris": solaris.read,
    "vyos": vyos.read,
}
"""Reader of each system; the keys are those of the wire's `SshSource.system`."""
