"""Sends a request over HTTP/1.1 on a new connection, with a deadline for the whole response."""

import asyncio
import io
import socket
import ssl
import time
from http.client import HTTPException, HTTPResponse
from typing import Mapping, NamedTuple, cast
from urllib.parse import urlsplit

from .errors import ConnectionError, DecodeError, TimeoutError

MAX_RESPONSE = 64 * 1024 * 1024
"""Maximum response size in bytes, far larger than any real response. The limit prevents memory exhaustion."""
_CHUNK = 64 * 1024


class Request(NamedTuple):
    """Request passed to a transport."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """Response returned by a transport. Header names are lowercase."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def send(request: Request, timeout: float) -> Response:
    """Sends a request and returns the response.

    :raises TimeoutError: if the response isn't complete after ``timeout`` seconds
    :raises ConnectionError: if the connection fails or is lost
    """
    deadline = time.monotonic() + timeout
    peer = _Peer(request.url)
    raw = bytearray()
    try:
        with socket.create_connection((peer.host, peer.port), timeout) as tcp:
            with peer.tls.wrap_socket(tcp, server_hostname=peer.host) if peer.tls else tcp as sock:
                sock.sendall(_serialize(request, peer))
                while True:
                    # A socket timeout applies to each read separately, and a slow response can take many reads.
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise socket.timeout()
                    sock.settimeout(left)
                    chunk = sock.recv(_CHUNK)
                    if not chunk:
                        return _parse(bytes(raw))
                    raw += chunk
                    if len(raw) > MAX_RESPONSE:
                        raise DecodeError("The response is larger than 64 MiB.")
    except socket.timeout:
        raise TimeoutError("The response wasn't complete within {} s.".format(timeout)) from None
    except (OSError, HTTPException) as error:
        raise ConnectionError("The connection failed or was lost.") from error


async def send_async(request: Request, timeout: float) -> Response:
    """Works like :func:`send`, but with asyncio streams. Canceling the task closes the connection."""
    try:
        return _parse(await asyncio.wait_for(_exchange(request), timeout))
    except asyncio.TimeoutError:
        raise TimeoutError("The response wasn't complete within {} s.".format(timeout)) from None
    except (OSError, HTTPException) as error:
        raise ConnectionError("The connection failed or was lost.") from error


async def _exchange(request: Request) -> bytes:
    peer = _Peer(request.url)
    reader, writer = await asyncio.open_connection(peer.host, peer.port, ssl=peer.tls)
    raw = bytearray()
    try:
        writer.write(_serialize(request, peer))
        await writer.drain()
        while True:
            chunk = await reader.read(_CHUNK)
            if not chunk:
                return bytes(raw)
            raw += chunk
            if len(raw) > MAX_RESPONSE:
                raise DecodeError("The response is larger than 64 MiB.")
    finally:
        writer.transport.abort()


class _Peer:
    """Server that a URL points to."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        self.host, self.port = parts.hostname or "", parts.port or (443 if self.tls else 80)
        self.name, self.target = parts.netloc, (parts.path or "/") + ("?" + parts.query if parts.query else "")


def _serialize(request: Request, peer: _Peer) -> bytes:
    # The server closes the connection after the response, so the end of the stream is the end of the response.
    headers = {"Host": peer.name, "Connection": "close", "Content-Length": str(len(request.body)), **request.headers}
    lines = ["{} {} HTTP/1.1".format(request.method, peer.target), *map(": ".join, headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + request.body


class _Received:
    """Minimal socket interface for ``HTTPResponse``."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.raw)


def _parse(raw: bytes) -> Response:
    response = HTTPResponse(cast(socket.socket, _Received(raw)))
    response.begin()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Response(response.status, headers, response.read())
