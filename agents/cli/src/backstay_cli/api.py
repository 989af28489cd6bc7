"""The public API over HTTP: one client; every failure is a sentence with the next step.

POST and PUT carry an Idempotency-Key, so that a retry after a broken connection acts once (`docs/api.md`).
Certificates are verified; SSL_CERT_FILE names another certificate authority.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from backstay_cli import __version__
from backstay_cli.account import Account
from backstay_cli.errors import Denied, OperatorError, Unreachable, Usage
from backstay_cli.text import shown

PREFIX = "/api/v1"
TIMEOUT_S = 15.0
TRIES = 3
PAUSE_S = 0.5
PAGE = 500
QUIET_S = 30.0
"""A live stream sends something every ten seconds; after three times that it is dead."""
_RAISES: dict[int, type[OperatorError]] = {
    400: Usage, 401: Denied, 403: Denied, 404: Usage, 405: Unreachable,
    409: Denied, 413: Usage, 422: Denied,
}  # fmt: skip
NO_CONTENT = 204
_AGAIN = frozenset({429, 502, 503, 504})


class Api:
    """A signed-in client; use it as a context manager or let the process end it."""

    def __init__(self, account: Account, *, timeout_s: float = TIMEOUT_S, tries: int = TRIES) -> None:
        self.url = account.url
        self.only_reads = False
        """Refuse every request but GET: a repeated command must not act each time."""
        self._tries = tries
        headers = {"User-Agent": f"backstay/{__version__}", "Accept": "application/json"}
        try:
            headers["Authorization"] = f"Bearer {account.token}".encode("ascii").decode()
        except UnicodeEncodeError:
            raise Usage("The token contains invalid characters: sign in again.") from None
        # Loading the authorities takes longer than a request; redirects are not followed, so an unencrypted
        # address stays as given.
        verify = account.url.startswith("https:")
        self._http = httpx.Client(
            base_url=account.url + PREFIX, headers=headers, timeout=timeout_s, verify=verify
        )

    def get(self, path: str, /, **wanted: object) -> Any:
        """One answer; parameters that are None are left out."""
        return self._ask("GET", path, params=_given(wanted))

    def post(self, path: str, body: Mapping[str, object] | None = None) -> Any:
        """Send a POST request; retries act once."""
        return self._ask("POST", path, json=body, headers={"Idempotency-Key": str(uuid.uuid4())})

    def put(self, path: str, body: Mapping[str, object]) -> Any:
        """Send a PUT request; retries act once."""
        return self._ask("PUT", path, json=body, headers={"Idempotency-Key": str(uuid.uuid4())})

    def delete(self, path: str) -> Any:
        """Send a DELETE request, never repeated. None if the reply has no content."""
        return self._ask("DELETE", path)

    def text(self, path: str, **wanted: object) -> str:
        """The body of an answer that is not JSON."""
        return self._good("GET", path, params=_given(wanted)).text

    def download(self, path: str, target: Path, size: int) -> None:
        """Store a file of `size` bytes; it appears whole or not at all."""
        partial = target.with_name(f"{target.name}.partial")
        timeout = httpx.Timeout(TIMEOUT_S, read=QUIET_S)
        try:
            with self._http.stream("GET", path, timeout=timeout) as response, partial.open("wb") as stream:
                if response.status_code != 200:
                    response.read()
                    raise self._refusal(response)
                for piece in response.iter_bytes():
                    stream.write(piece)
            if partial.stat().st_size != size:
                raise Unreachable(f"The file is incomplete: {partial.stat().st_size} of {size} bytes.")
            partial.replace(target)
        except httpx.TransportError as error:
            raise self._away(error) from error
        except OSError as error:
            raise Usage(f"{shown(str(target))} cannot be written: {error.strerror}.") from None
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def newest(self, path: str, limit: int, /, **wanted: object) -> dict[str, Any]:
        """The first page of a list, with at most `limit` items."""
        page = self.get(path, limit=limit, **wanted)
        if not isinstance(page, dict) or not isinstance(page.get("items"), list):
            raise self._strange()
        return page

    def items(self, path: str, /, **wanted: object) -> dict[str, Any]:
        """A whole list, page after page, in the shape of one page."""
        items: list[Any] = []
        cursor: object = None
        while True:
            page = self.newest(path, PAGE, cursor=cursor, **wanted)
            items += page["items"]
            cursor = page.get("next")
            if not cursor:
                return {"items": items, "next": None}

    @contextmanager
    def stream(self, path: str, last_id: str | None, **wanted: object) -> Iterator[Iterator[bytes]]:
        """The bytes of a live stream as they arrive."""
        headers = {"Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        timeout = httpx.Timeout(TIMEOUT_S, read=QUIET_S)
        request = self._http.stream("GET", path, params=_given(wanted), headers=headers, timeout=timeout)
        try:
            with request as response:
                if response.status_code != 200:
                    response.read()
                    raise self._refusal(response)
                yield response.iter_bytes()
        except httpx.TransportError as error:
            raise self._away(error) from error

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        response = self._good(method, path, **options)
        if response.status_code == NO_CONTENT:
            return None
        try:
            return response.json()
        except ValueError:
            raise self._strange() from None

    def _good(self, method: str, path: str, **options: Any) -> httpx.Response:
        if self.only_reads and method != "GET":
            raise Usage("--watch repeats commands that only read: leave it out.")
        response = self._answered(method, path, options)
        if response.status_code not in {200, 201, 202, NO_CONTENT}:
            raise self._refusal(response)
        return response

    def _answered(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        tries = 1 if method == "DELETE" else self._tries
        for left in reversed(range(tries)):
            try:
                response = self._http.request(method, path, **options)
            except httpx.TransportError as error:
                if not left:
                    raise self._away(error) from error
            else:
                if not left or response.status_code not in _AGAIN:
                    return response
            time.sleep(PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _refusal(self, response: httpx.Response) -> OperatorError:
        status = response.status_code
        kind = _RAISES.get(status, Unreachable)
        try:
            answer = response.json()
            message, fields = str(answer["message"]), answer.get("fields") or {}
        except (ValueError, KeyError, TypeError, AttributeError):
            if status // 100 == 3:
                there = shown(response.headers.get("Location", "elsewhere"))
                return Unreachable(f"{self.url} redirects to {there}: sign in with that address.")
            return Unreachable(
                f"{self.url} answered with status {status}, which Backstay does not send: check the address."
            )
        if status == 401:
            return Denied(f"{self.url} rejects this token: run backstay sign-in.")
        return kind(shown(message), fields=tuple(map(str, fields)))

    def _away(self, error: httpx.TransportError) -> Unreachable:
        slow = isinstance(error, httpx.TimeoutException)
        why = "did not respond in time" if slow else f"is unreachable ({shown(str(error)) or 'no response'})"
        return Unreachable(f"{self.url} {why}: check that Backstay is running there, then try again.")

    def _strange(self) -> Unreachable:
        return Unreachable(f"{self.url} does not respond like a Backstay server: check the address.")


def _given(wanted: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in wanted.items() if value is not None}
