"""A controller for nodes under change; its response does not fit into small packets."""

import socket
import threading

from backstay_testing.namespaces import Namespace, run_in

ANSWER = b"reached " * 25
"""Below 256 octets, so that it is one segment: veth(4) carries larger ones that are still to be segmented."""


class Controller:
    """Listens in a namespace, on a port of its own, until it is stopped."""

    def __init__(self, space: Namespace, address: str) -> None:
        self._server = socket.socket()
        run_in(space, lambda: self._listen(address))
        self.port: int = self._server.getsockname()[1]
        self._answering = threading.Thread(target=self._answer, daemon=True)
        self._answering.start()

    def _listen(self, address: str) -> None:
        self._server = socket.create_server((address, 0), backlog=128)

    def _answer(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.sendall(ANSWER)
                except OSError:
                    continue

    def stop(self) -> None:
        """Refuse connections from now on."""
        self._server.shutdown(socket.SHUT_RDWR)  # close(2) alone does not end accept(2)
        self._answering.join(5)
        self._server.close()
