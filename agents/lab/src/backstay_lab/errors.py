"""The errors that the lab shows to a person.

LabError                  something could not be done: a cause, and the next step
    StateUnreadableError  the running lab's state file is damaged; `down` works without it
"""


class LabError(Exception):
    """A verb could not do its work.

    `cause` is what went wrong, `next_step` what the user can do about it; the command line prints
    both and exits with status 1.
    """

    def __init__(self, cause: str, next_step: str) -> None:
        super().__init__(f"{cause} {next_step}")
        self.cause = cause
        self.next_step = next_step


class StateUnreadableError(LabError):
    """The state file is there, but is not what a lab writes."""
