"""Carries one request and its answer over HTTP/1.1, in a connection of its own, within one deadline."""

import asyncio
import io
import socket
import ssl
import time
from http.client import HTTPException, HTTPResponse
from typing import Mapping, NamedTuple, cast
from urllib.parse import urlsplit

from .errors import ConnectionError, DecodeError, TimeoutError

MAX_ANSWER = 64 * 1024 * 1024
"""No answer of the service comes near it: a longer one is refused before it fills the memory."""
_CHUNK = 64 * 1024


class Request(NamedTuple):
    """A request as a transport gets it."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """An answer as a transport gives it. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def send(request: Request, timeout: float) -> Response:
    """Sends a request and gives the answer.

    :raises TimeoutError: when it is not complete after ``timeout`` seconds
    :raises ConnectionError: when there is no connection, or it breaks
    """
    deadline = time.monotonic() + timeout
    peer = _Peer(request.url)
    raw = bytearray()
    try:
        with socket.create_connection((peer.host, peer.port), timeout) as plain:
            with peer.tls.wrap_socket(plain, server_hostname=peer.host) if peer.tls else plain as sock:
                sock.sendall(_written(request, peer))
                while True:
                    # A socket's timeout is for one read, and a slow answer has many.
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise socket.timeout()
                    sock.settimeout(left)
                    chunk = sock.recv(_CHUNK)
                    if not chunk:
                        return _parse(bytes(raw))
                    raw += chunk
                    if len(raw) > MAX_ANSWER:
                        raise DecodeError("The answer is over 64 MiB.")
    except socket.timeout:
        raise TimeoutError("No complete answer within {} s.".format(timeout)) from None
    except (OSError, HTTPException) as error:
        raise ConnectionError("The connection failed or broke.") from error


async def send_async(request: Request, timeout: float) -> Response:
    """Does what :func:`send` does, on asyncio streams. Cancelling it closes the connection."""
    try:
        return _parse(await asyncio.wait_for(_exchange(request), timeout))
    except asyncio.TimeoutError:
        raise TimeoutError("No complete answer within {} s.".format(timeout)) from None
    except (OSError, HTTPException) as error:
        raise ConnectionError("The connection failed or broke.") from error


async def _exchange(request: Request) -> bytes:
    peer = _Peer(request.url)
    reader, writer = await asyncio.open_connection(peer.host, peer.port, ssl=peer.tls)
    raw = bytearray()
    try:
        writer.write(_written(request, peer))
        await writer.drain()
        while True:
            chunk = await reader.read(_CHUNK)
            if not chunk:
                return bytes(raw)
            raw += chunk
            if len(raw) > MAX_ANSWER:
                raise DecodeError("The answer is over 64 MiB.")
    finally:
        writer.transport.abort()


class _Peer:
    """Whom an address speaks of."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        self.host, self.port = parts.hostname or "", parts.port or (443 if self.tls else 80)
        self.name, self.target = parts.netloc, (parts.path or "/") + ("?" + parts.query if parts.query else "")


def _written(request: Request, peer: _Peer) -> bytes:
    # The connection ends with the answer, so that the end of the stream is the end of the answer.
    headers = {"Host": peer.name, "Connection": "close", "Content-Length": str(len(request.body)), **request.headers}
    lines = ["{} {} HTTP/1.1".format(request.method, peer.target), *map(": ".join, headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + request.body


class _Received:
    """As much of a socket as ``HTTPResponse`` reads from."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.raw)


def _parse(raw: bytes) -> Response:
    answer = HTTPResponse(cast(socket.socket, _Received(raw)))
    answer.begin()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return Response(answer.status, headers, answer.read())
