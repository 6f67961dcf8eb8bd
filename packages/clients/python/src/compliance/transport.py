"""Sends HTTP/1.1 requests on pooled connections, with a timeout for each response or, for files, for each read and write."""

import asyncio
import io
import re
import socket
import ssl
import threading
from base64 import b64encode
from functools import partial
from http.client import HTTPException, HTTPResponse
from time import monotonic
from typing import Awaitable, BinaryIO, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, TypeVar, cast
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ConnectionError, DecodeError, TimeoutError

MAX_RESPONSE = 64 * 1024 * 1024
"""Maximum response size in bytes, far larger than any real response. The limit prevents memory exhaustion."""
MAX_IDLE = 32
"""Maximum number of idle connections that a pool keeps."""
IDLE_SECONDS = 60
"""Maximum time in seconds that a connection can be idle before a pool stops reusing it."""
_CHUNK = 64 * 1024

_Left = Callable[[], float]
"""Function that returns the number of seconds left. Raises ``socket.timeout`` if no time is left."""
_Streams = Tuple[asyncio.StreamReader, asyncio.StreamWriter]
_T = TypeVar("_T")


class Request(NamedTuple):
    """Request passed to a transport."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    source: Optional[BinaryIO] = None
    """File to read and send in chunks, instead of ``body``."""
    target: Optional[BinaryIO] = None
    """File that receives the body of a response with status 200. ``Response.body`` is then empty."""

    @property
    def is_file(self) -> bool:
        """Whether the request transfers a file. If it does, the timeout applies to each read and write separately."""
        return self.source is not None or self.target is not None


class Response(NamedTuple):
    """Response returned by a transport. Header names are lowercase."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Pool:
    """Sends requests and keeps idle connections open for later requests. Threads can share a pool.

    The pool uses the proxy in ``HTTPS_PROXY`` or ``HTTP_PROXY``, except for localhost and the hosts in ``NO_PROXY``.

    >>> Pool()(Request("GET", "https://compliance.example/healthz", {}, b""), 5.0).status
    200
    """

    def __init__(self) -> None:
        self._idle: List[Tuple["_Route", socket.socket, float]] = []
        self._lock = threading.Lock()
        self._tls: Optional[ssl.SSLContext] = None

    def __call__(self, request: Request, timeout: float) -> Response:
        """Sends a request and returns the response.

        :raises TimeoutError: if the response isn't complete after ``timeout`` seconds or, for a file, if the connection is idle
            for ``timeout`` seconds
        :raises ConnectionError: if the connection fails or is lost
        """
        left = _left(request, timeout)
        route = _route(request.url)
        try:
            reused = self._take(route, request)
            if reused is not None:
                incoming = _Incoming(request)
                try:
                    return self._exchange(reused, route, request, incoming, left)
                except socket.timeout:
                    raise
                except (OSError, HTTPException):
                    # The server can close an idle connection at any time, in which case it didn't process the request.
                    if incoming.raw:
                        raise
            return self._exchange(self._connect(route, left), route, request, _Incoming(request), left)
        except socket.timeout:
            raise _late(request, timeout) from None
        except (OSError, HTTPException) as error:
            raise _lost(route) from error

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            while self._idle:
                self._idle.pop()[1].close()

    def _take(self, route: "_Route", request: Request) -> Optional[socket.socket]:
        if request.source is not None:
            return None  # Use a new connection. If the server had closed an idle one, the file couldn't be sent again.
        with self._lock:
            for index in reversed(range(len(self._idle))):
                found, sock, since = self._idle[index]
                if found == route:
                    del self._idle[index]
                    if monotonic() - since < IDLE_SECONDS:
                        return sock
                    sock.close()
        return None

    def _exchange(
        self, sock: socket.socket, route: "_Route", request: Request, incoming: "_Incoming", left: _Left
    ) -> Response:
        try:
            sock.settimeout(left())
            sock.sendall(_serialize(request, route))
            try:
                for part in _parts(request.source):
                    sock.sendall(part)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The service might have rejected the file before reading all of it. The response contains the reason.
            while not incoming.is_complete:
                # A socket timeout applies to each read separately, and a slow response can take many reads.
                sock.settimeout(left())
                incoming.add(sock.recv(_CHUNK))
                if request.target is not None:
                    request.target.write(incoming.take())
            response = incoming.response()
        except BaseException:
            sock.close()
            raise
        with self._lock:
            if incoming.can_reuse and len(self._idle) < MAX_IDLE:
                self._idle.append((route, sock, monotonic()))
                return response
        sock.close()
        return response

    def _connect(self, route: "_Route", left: _Left) -> socket.socket:
        sock = _dial(*route.peer, left)
        try:
            if route.is_tunnel:
                sock.settimeout(left())
                sock.sendall(_tunnel_request(route))
                reply = b""
                while b"\r\n\r\n" not in reply:
                    reply += _tunnel_reply(sock.recv(_CHUNK), reply)
                _check_tunnel(route, reply)
            if not route.is_tls:
                return sock
            sock.settimeout(left())
            # Loading the trusted certificates takes longer than a request, so load them only once.
            self._tls = self._tls or ssl.create_default_context()
            return self._tls.wrap_socket(sock, server_hostname=route.host)
        except BaseException:
            sock.close()
            raise


class AsyncPool:
    """Works like :class:`Pool`, but with asyncio. Use it in only one event loop. Canceling a task closes its connection."""

    def __init__(self) -> None:
        self._idle: List[Tuple["_Route", asyncio.StreamReader, asyncio.StreamWriter, float]] = []
        self._tls: Optional[ssl.SSLContext] = None

    async def __call__(self, request: Request, timeout: float) -> Response:
        """Sends a request and returns the response, with the same errors as :meth:`Pool.__call__`."""
        route = _route(request.url)
        try:
            sent = self._send(route, request, timeout if request.is_file else None)
            return await _within(sent, None if request.is_file else timeout)
        except asyncio.TimeoutError:
            raise _late(request, timeout) from None
        except (OSError, HTTPException) as error:
            raise _lost(route) from error

    async def close(self) -> None:
        """Closes the idle connections."""
        idle, self._idle = self._idle, []
        for _, _, writer, _ in idle:
            writer.transport.abort()
        # The event loop closes the sockets in its next iterations.
        for _ in range(3):
            await asyncio.sleep(0)

    async def _send(self, route: "_Route", request: Request, idle: Optional[float]) -> Response:
        reused = self._take(route, request)
        if reused is not None:
            incoming = _Incoming(request)
            try:
                return await self._exchange(reused, route, request, incoming, idle)
            except (OSError, HTTPException) as error:
                # Since Python 3.11, a timeout is an OSError. Unlike a lost connection, a timeout doesn't mean that the
                # server closed the connection before the request.
                if incoming.raw or isinstance(error, asyncio.TimeoutError):
                    raise
        opened = await _within(self._connect(route), idle)
        return await self._exchange(opened, route, request, _Incoming(request), idle)

    def _take(self, route: "_Route", request: Request) -> Optional["_Streams"]:
        if request.source is not None:
            return None
        for index in reversed(range(len(self._idle))):
            found, reader, writer, since = self._idle[index]
            if found == route:
                del self._idle[index]
                if monotonic() - since < IDLE_SECONDS and not reader.at_eof() and not writer.transport.is_closing():
                    return reader, writer
                writer.transport.abort()
        return None

    async def _exchange(
        self, streams: "_Streams", route: "_Route", request: Request, incoming: "_Incoming", idle: Optional[float]
    ) -> Response:
        reader, writer = streams
        keep = False
        try:
            writer.write(_serialize(request, route))
            await _within(writer.drain(), idle)
            parts = _parts(request.source)
            try:
                while request.source and (part := await _in_thread(partial(next, parts, b""))):
                    writer.write(part)
                    await _within(writer.drain(), idle)
            except (BrokenPipeError, ConnectionResetError):
                pass
            while not incoming.is_complete:
                incoming.add(await _within(reader.read(_CHUNK), idle))
                content = incoming.take()
                if request.target is not None and content:
                    await _in_thread(partial(request.target.write, content))
            response = incoming.response()
            keep = incoming.can_reuse and len(self._idle) < MAX_IDLE
        finally:
            if keep:
                self._idle.append((route, reader, writer, monotonic()))
            else:
                writer.transport.abort()
        return response

    async def _connect(self, route: "_Route") -> "_Streams":
        self._tls = self._tls or (ssl.create_default_context() if route.is_tls else None)
        if not route.is_tunnel:
            tls = self._tls if route.is_tls else None
            return await asyncio.open_connection(*route.peer, ssl=tls, happy_eyeballs_delay=0.25)
        loop = asyncio.get_running_loop()
        sock = await _dial_async(*route.peer)
        try:
            await loop.sock_sendall(sock, _tunnel_request(route))
            reply = b""
            while b"\r\n\r\n" not in reply:
                reply += _tunnel_reply(await loop.sock_recv(sock, _CHUNK), reply)
            _check_tunnel(route, reply)
            return await asyncio.open_connection(sock=sock, ssl=self._tls, server_hostname=route.host)
        except BaseException:
            sock.close()
            raise


class _Route(NamedTuple):
    """Route to a server, either direct or through a proxy. Requests with the same route can share connections."""

    is_tls: bool
    host: str
    port: int
    name: str
    proxy: Optional[Tuple[str, int]]
    authorization: Optional[str]

    @property
    def peer(self) -> Tuple[str, int]:
        return self.proxy or (self.host, self.port)

    @property
    def is_tunnel(self) -> bool:
        return self.is_tls and self.proxy is not None

    def __repr__(self) -> str:
        # The proxy's password must not be printed.
        return "_Route({})".format(self.name)


def _route(url: str) -> _Route:
    parts = urlsplit(url)
    is_tls, host = parts.scheme == "https", parts.hostname or ""
    direct = _Route(is_tls, host, parts.port or (443 if is_tls else 80), parts.netloc, None, None)
    proxy_url = getproxies().get(parts.scheme)
    if not proxy_url or re.fullmatch(r"localhost|127(\.\d+){3}|::1", host) or proxy_bypass(host):
        return direct
    proxy = urlsplit(proxy_url if "://" in proxy_url else "http://" + proxy_url)
    if proxy.scheme != "http" or not proxy.hostname:
        raise ConnectionError("The proxy URL must start with http://.")
    login = "{}:{}".format(unquote(proxy.username or ""), unquote(proxy.password or ""))
    authorization = "Basic " + b64encode(login.encode()).decode() if proxy.username else None
    return direct._replace(proxy=(proxy.hostname, proxy.port or 80), authorization=authorization)


def _left(request: Request, timeout: float) -> _Left:
    deadline = monotonic() + timeout

    def left() -> float:
        seconds = timeout if request.is_file else deadline - monotonic()
        if seconds <= 0:
            raise socket.timeout()
        return seconds

    return left


def _late(request: Request, timeout: float) -> TimeoutError:
    what = "connection was idle for" if request.is_file else "request timed out after"
    return TimeoutError("The {} {:g} s.".format(what, timeout))


_LAST_CHUNK = b"0\r\n\r\n"


def _parts(source: Optional[BinaryIO]) -> Iterator[bytes]:
    """Reads a file and yields its contents as HTTP chunks."""
    if source is not None:
        for data in iter(lambda: source.read(_CHUNK), b""):
            yield b"%x\r\n%b\r\n" % (len(data), data)
        yield _LAST_CHUNK


async def _within(work: Awaitable[_T], seconds: Optional[float]) -> _T:
    """Waits for work like :func:`asyncio.wait_for`, which before Python 3.12 ignores a cancellation if the work just ended."""
    if seconds is None:
        return await work
    task = asyncio.ensure_future(work)
    try:
        if not (await asyncio.wait({task}, timeout=seconds))[0]:
            raise asyncio.TimeoutError
        return task.result()
    finally:
        task.cancel()


def _in_thread(work: Callable[[], _T]) -> Awaitable[_T]:
    """Runs a blocking file operation in another thread."""
    return asyncio.get_running_loop().run_in_executor(None, work)


def _dial(host: str, port: int, left: _Left) -> socket.socket:
    """Connects to the first address that accepts a connection. Divides the remaining time among the addresses."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for index, (family, kind, protocol, _, address) in enumerate(addresses):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(left() / (len(addresses) - index))
            sock.connect(address)
            return sock
        except OSError:
            sock.close()
            if index == len(addresses) - 1:
                raise
    raise OSError("The hostname doesn't resolve to an IP address.")


async def _dial_async(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    addresses = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for index, (family, kind, protocol, _, address) in enumerate(addresses):
        sock = socket.socket(family, kind, protocol)
        sock.setblocking(False)
        try:
            await loop.sock_connect(sock, address)
            return sock
        except BaseException as error:
            sock.close()
            if not isinstance(error, OSError) or index == len(addresses) - 1:
                raise
    raise OSError("The hostname doesn't resolve to an IP address.")


def _tunnel_request(route: _Route) -> bytes:
    target = "{}:{}".format("[{}]".format(route.host) if ":" in route.host else route.host, route.port)
    login = "Proxy-Authorization: {}\r\n".format(route.authorization) if route.authorization else ""
    return "CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n{1}\r\n".format(target, login).encode("ascii")


def _tunnel_reply(chunk: bytes, so_far: bytes) -> bytes:
    if not chunk or len(so_far) > _CHUNK:
        raise OSError("The proxy's response is incomplete.")
    return chunk


def _check_tunnel(route: _Route, reply: bytes) -> None:
    status = re.match(rb"HTTP/1\.[01] (\d{3})", reply)
    if status is None or not status.group(1).startswith(b"2"):
        code = status.group(1).decode() if status else "no status"
        raise ConnectionError("The proxy {}:{} refused the connection ({}).".format(*route.peer, code))


def _lost(route: _Route) -> ConnectionError:
    via = " through the proxy {}:{}".format(*route.proxy) if route.proxy else ""
    return ConnectionError("The connection to {}{} failed or was lost.".format(route.name, via))


def _serialize(request: Request, route: _Route) -> bytes:
    parts = urlsplit(request.url)
    target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    length = ("Content-Length", str(len(request.body))) if request.source is None else ("Transfer-Encoding", "chunked")
    headers: Dict[str, str] = {"Host": route.name, length[0]: length[1], **request.headers}
    if route.proxy and not route.is_tls:
        target = "http://" + route.name + target
        if route.authorization:
            headers["Proxy-Authorization"] = route.authorization
    lines = ["{} {} HTTP/1.1".format(request.method, target), *map(": ".join, headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + request.body


class _Incoming:
    """Collects the bytes of a response and detects its end so that the connection can be reused."""

    def __init__(self, request: Request) -> None:
        self._has_target = request.target is not None
        self._taken = 0
        """Number of body bytes that are no longer in ``raw``."""
        self.raw = bytearray()
        self.is_complete = False
        self.can_reuse = False
        self._head: Optional[HTTPResponse] = None
        self._body = 0
        """Position of the body in ``raw``."""
        self._next = 0
        """Position in ``raw`` of the body or, if the body is chunked, of the next chunk."""

    def add(self, chunk: bytes) -> None:
        """Adds bytes. An empty chunk means that the server has closed the connection."""
        self.raw += chunk
        if len(self.raw) > MAX_RESPONSE:
            raise DecodeError("The response is larger than 64 MiB.")
        if self._head is None:
            end = self.raw.find(b"\r\n\r\n")
            if end >= 0:
                self._body = self._next = end + 4
                self._head = _begin(bytes(self.raw[: self._next]))
        end = self._end()
        received = len(self.raw) + self._taken
        self.is_complete = received >= end if end is not None else not chunk and self._ends_with_connection()
        self.can_reuse = end == received and self._head is not None and not self._head.will_close
        if not chunk and not self.is_complete:
            raise HTTPException("The response is incomplete.")

    def take(self) -> bytes:
        """Removes the available bytes of the body and returns them, or returns no bytes if the body isn't written to a file."""
        if self._head is None or not self._is_taken():
            return b""
        is_chunked, end = self._head.chunked, self._next if self._head.chunked else len(self.raw)
        whole = _begin(bytes(self.raw[:end]) + _LAST_CHUNK) if is_chunked else None
        content = whole.read() if whole else bytes(self.raw[self._body : end])
        self._taken += end - self._body
        del self.raw[self._body : end]
        self._next = self._body
        return content

    def response(self) -> Response:
        """Returns the complete response. If the body was written to a file, the response's ``body`` is empty."""
        response = _begin(bytes(self.raw))
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, headers, b"" if self._is_taken() else response.read())

    def _is_taken(self) -> bool:
        return self._has_target and self._head is not None and self._head.status == 200

    def _ends_with_connection(self) -> bool:
        return self._head is not None and not self._head.chunked and self._head.length is None

    def _end(self) -> Optional[int]:
        """Returns the position where the response ends, or None if that position isn't known yet."""
        if self._head is None:
            return None
        if not self._head.chunked:
            return None if self._head.length is None else self._next + self._head.length
        while True:
            size = re.compile(rb"([0-9a-fA-F]{1,8})[^\r\n]*\r\n").match(self.raw, self._next)
            if size is None:
                if len(self.raw) - self._next > _CHUNK:
                    raise HTTPException("The response has an invalid chunk size.")
                return None
            if int(size.group(1), 16) == 0:
                end = self.raw.find(b"\r\n\r\n", size.end() - 2)
                return None if end < 0 else end + 4 + self._taken
            after = size.end() + int(size.group(1), 16) + 2
            if after > len(self.raw):
                return None
            self._next = after


class _Received:
    """Minimal socket interface for ``HTTPResponse``."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.raw)


def _begin(raw: bytes) -> HTTPResponse:
    response = HTTPResponse(cast(socket.socket, _Received(raw)))
    response.begin()
    return response
