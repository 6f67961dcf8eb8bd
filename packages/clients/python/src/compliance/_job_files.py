"""Streams job files, because they can be larger than memory, and waits for jobs."""

import shutil
import socket
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, BinaryIO, Callable, Generator, Mapping, Optional, TypeVar
from urllib.parse import urlsplit

from .errors import ComplianceError, ConnectionError, TimeoutError
from .transport import MAX_RESPONSE, Response

_LONGEST_PAUSE = 5.0
"""Longest time between two requests for the state of a job, in seconds."""
_MAX_FAILURES = 10
"""Number of consecutive failed requests after which a wait fails."""
_CHUNK = 64 * 1024

Job = TypeVar("Job", bound=Mapping[str, Any])


def transfer(method: str, url: str, source: Optional[BinaryIO], target: Optional[BinaryIO], timeout: float) -> Response:
    """Sends a request to a signed URL without an API key.

    :param source: request body, which is streamed, or ``None``
    :param target: file to write a successful response's body to, or ``None`` to return the body in the response
    :param timeout: time limit for each read and write, in seconds
    """
    parts = urlsplit(url)
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=timeout)
    try:
        headers = {"Transfer-Encoding": "chunked"} if source else {}
        body = iter(lambda: source.read(_CHUNK), b"") if source else None
        try:
            connection.request(method, parts.path + "?" + parts.query, body, headers, encode_chunked=source is not None)
        except (BrokenPipeError, ConnectionResetError):
            pass  # The service might have rejected the file before reading all of it. The response contains the reason.
        reply = connection.getresponse()
        fields = {name.lower(): value for name, value in reply.getheaders()}
        if target is None or reply.status != 200:
            return Response(reply.status, fields, reply.read(MAX_RESPONSE))
        shutil.copyfileobj(reply, target, _CHUNK)
        if reply.length:
            raise ConnectionError("The connection was lost before the download was complete.")
        return Response(reply.status, fields, b"")
    except socket.timeout:
        raise TimeoutError("The connection was idle for {} s.".format(timeout)) from None
    except (OSError, HTTPException) as error:
        raise ConnectionError("The connection failed or was lost.") from error
    finally:
        connection.close()


def wait(
    get: Callable[[], Generator[Any, Any, Job]], on_progress: Optional[Callable[[Job], Any]], deadline: Optional[float]
) -> Generator[Any, Any, Job]:
    """Polls a job until it has finished. Temporary errors don't end the wait."""
    end = None if deadline is None else time.monotonic() + deadline
    seen, failures, pause = None, 0, 0.5
    while True:
        try:
            job = yield from get()
            failures = 0
            progress = (job["state"], job["processed_rows"])
            if progress != seen and on_progress:
                on_progress(job)
            seen = progress
            if job["finished_at"] is not None:
                return job
        except ComplianceError as error:
            failures += 1
            if not _is_temporary(error) or failures == _MAX_FAILURES:
                raise
        if end is not None and time.monotonic() + pause > end:
            raise TimeoutError("The job hasn't finished within {} s. It continues.".format(deadline))
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _is_temporary(error: ComplianceError) -> bool:
    status = error.status or 0
    return isinstance(error, (ConnectionError, TimeoutError)) or status == 429 or status >= 500
