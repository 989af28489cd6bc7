"""Errors of calls to the backend, which determine the reaction.

BackendError                 the call did not succeed
├── UnavailableError         no answer, 408, 425, 429, 5xx: the same call may succeed later (retry_after)
│   └── NoAnswerInTimeError  the request was received and not answered: as above, but send less at once
├── UnauthorisedError        401: the credential is not accepted (any more)
├── TooLargeError            413: send less at once
└── RefusedError             any other 4xx: the same call will fail again; carries the status and reason
"""


class BackendError(Exception):
    """The call did not succeed."""


class UnavailableError(BackendError):
    """The same call may succeed later, not before `retry_after` seconds if the backend set that."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class NoAnswerInTimeError(UnavailableError):
    """The backend received the request and did not answer within the time limit; it may have stored it."""


class UnauthorisedError(BackendError):
    """The credential, or the proof for a new one, is not accepted."""


class TooLargeError(BackendError):
    """The backend accepts less at once."""


class RefusedError(BackendError):
    """The same call will fail again."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"{status}: {reason}")
        self.status = status
