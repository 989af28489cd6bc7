"""One host over ssh (RFC 4251): a persistent connection that runs fixed commands, each in its own channel.

The host must prove the key in the site file. No forwarding, no terminal, no configuration or keys of the
agent's user: only the configured key file. Hosts of that time support old algorithms only; they are offered
after the current ones, and the known host key protects the exchange from other hosts.
"""

import asyncio
import contextlib

import asyncssh

_CONNECT_S = 10.0
_COMMAND_S = 10.0
_OUTPUT_LIMIT = 4 * 1024 * 1024
_NOT_FOUND = (126, 127)
"""Exit status of a shell that cannot run a command (POSIX, 2.8.2)."""
_OLD_KEY_EXCHANGE = "+diffie-hellman-group-exchange-sha1,diffie-hellman-group1-sha1"
_OLD_CIPHERS = "+aes256-cbc,aes128-cbc,3des-cbc"


class SshError(Exception):
    """The host is unreachable, has another key, rejects the login, or disconnected."""


class SshHost:
    """A host by address, port and user."""

    def __init__(self, address: str, port: int, user: str, *, host_key: str, key_file: str) -> None:
        self._address = address
        self._port = port
        self._user = user
        self._host_key = host_key
        self._key_file = key_file
        self._connection: asyncssh.SSHClientConnection | None = None

    async def run(self, command: str) -> str:
        """A command's output; "" if the host has no such command. Raises SshError, TimeoutError."""
        if self._connection is None:
            self._connection = await self._connect()
        try:
            async with asyncio.timeout(_COMMAND_S):
                return await self._talk(self._connection, command)
        except (asyncssh.Error, OSError) as error:
            await self.close()
            if isinstance(error, TimeoutError):
                raise
            raise SshError(f"{self._address}: {type(error).__name__}: {error}"[:500]) from error

    async def close(self) -> None:
        """Close the connection; the next command opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort()
            with contextlib.suppress(asyncssh.Error, OSError):
                await connection.wait_closed()

    async def _connect(self) -> asyncssh.SSHClientConnection:
        try:
            trusted = asyncssh.import_public_key(self._host_key)
            async with asyncio.timeout(_CONNECT_S):
                return await asyncssh.connect(
                    self._address,
                    self._port,
                    username=self._user,
                    known_hosts=([trusted], [], []),
                    client_keys=[self._key_file],
                    agent_path=None,
                    config=None,
                    kex_algs=_OLD_KEY_EXCHANGE,
                    encryption_algs=_OLD_CIPHERS,
                    password_auth=False,
                    kbdint_auth=False,
                )
        except (asyncssh.Error, OSError, ValueError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise SshError(f"{self._address}: {type(error).__name__}: {error}"[:500]) from error

    async def _talk(self, connection: asyncssh.SSHClientConnection, command: str) -> str:
        async with connection.create_process(command, encoding=None, stdin=asyncssh.DEVNULL) as process:
            parts: list[bytes] = []
            size = 0
            while part := await process.stdout.read(65536):
                size += len(part)
                if size > _OUTPUT_LIMIT:
                    raise SshError(f"{self._address}: more than {_OUTPUT_LIMIT} octets from {command}")
                parts.append(part)
            await process.wait()
            if process.exit_status in _NOT_FOUND:
                return ""
        return b"".join(parts).decode("utf-8", "replace")
