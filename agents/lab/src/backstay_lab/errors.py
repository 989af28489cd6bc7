"""The lab's errors for the user.

LabError                  a command failed: cause and next step
    StateUnreadableError  the running lab's state file is damaged; `down` works without it
"""


class LabError(Exception):
    """A command failed. The command line prints `cause` and `next_step` and exits with status 1."""

    def __init__(self, cause: str, next_step: str) -> None:
        super().__init__(f"{cause} {next_step}")
        self.cause = cause
        self.next_step = next_step


class StateUnreadableError(LabError):
    """The state file exists but is not valid."""
