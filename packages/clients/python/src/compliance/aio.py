"""Async client. Generated from client.py by `pnpm gen`."""

import asyncio
from typing import Any, AsyncIterator, Awaitable, BinaryIO, Callable, Dict, Optional, Sequence

from ._exchange import CallOptions, Defaults, Exchange, Hooks, RequestEvent, ResponseEvent, Result, Steps
from ._aio_operations import AsyncOperations
from .errors import ComplianceError, DecodeError, RateLimitWindow
from .models import GccGenerateResponse, Job
from .transport import AsyncPool, Request, Response

AsyncTransport = Callable[[Request, float], Awaitable[Response]]
"""Function that sends a request with a timeout in seconds. Raises :class:`ConnectionError` or :class:`TimeoutError`.

A request that uploads a job file has a ``source``, and a request that downloads one has a ``target``.
"""


class AsyncClient(AsyncOperations):
    """A client for the Portfolio Compliance API.

    Use each client in only one event loop. The client keeps connections open until it's closed.

    :param api_key: API key (default: ``COMPLIANCE_API_KEY``)
    :param base_url: service URL, which must use HTTPS except for localhost (default: ``COMPLIANCE_BASE_URL``, or
        ``http://127.0.0.1:8787``)
    :param allow_http: whether to also allow plain HTTP to hosts other than localhost, such as a container on the same private
        network; anyone who can read the network traffic can then read the API key
    :param timeout: timeout in seconds for each attempt, from connecting to receiving the last byte of the response
    :param deadline: time limit in seconds for each call, including its retries, the waits between them, and all requests in a
        long lookup (default: none)
    :param max_retries: maximum number of retries after connection errors and 408, 409, 429, and 5xx responses
    :param on_request: function that is called before each attempt, for example, for logging
    :param on_response: function that is called after each attempt that ends with a response or an error
    :param transport: replacement for :class:`compliance.transport.AsyncPool`, such as a test stub
    :raises ValueError: if the API key is missing or invalid, or if it isn't safe to send the key to the base URL

    >>> async with AsyncClient(base_url="https://compliance.example") as client:
    ...     lists = await client.tariff.lists()
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        allow_http: bool = False,
        timeout: float = 30.0,
        deadline: Optional[float] = None,
        max_retries: int = 2,
        on_request: Optional[Callable[[RequestEvent], None]] = None,
        on_response: Optional[Callable[[ResponseEvent], None]] = None,
        transport: Optional[AsyncTransport] = None,
    ) -> None:
        super().__init__(self)
        defaults, hooks = Defaults(timeout, deadline, max_retries), Hooks(on_request, on_response)
        self._exchange = Exchange(api_key, base_url, allow_http, defaults, hooks)
        self._pool = AsyncPool()
        self._transport = transport or self._pool

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the idle connections. Later calls open new connections."""
        await self._pool.close()

    @property
    def rate_limit(self) -> Sequence[RateLimitWindow]:
        """Remaining rate limits from the most recent response that included them. Initially empty."""
        return self._exchange.rate_limit

    async def download_certificate(
        self,
        result: GccGenerateResponse,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """Downloads a certificate PDF and verifies the file against the SHA-256 hash in the response.

        :raises DecodeError: if the hash is missing or doesn't match the file

        >>> pathlib.Path("gcc.pdf").write_bytes(await client.download_certificate(result))
        48211
        """
        return await self._run(self._exchange.download(result, CallOptions(timeout, deadline, max_retries)))

    async def upload_job_file(self, job: Job, file: BinaryIO, *, timeout: Optional[float] = None) -> Job:
        """Uploads a job's file, which starts the job. The file is streamed, not loaded into memory.

        If the connection is lost, get the job. While its state is ``awaiting_input``, you can upload the file again.

        :param file: file that was opened in binary mode, or another object with ``read``
        :param timeout: timeout in seconds for each read and write (default: the client's timeout)
        :raises ComplianceError: if the upload fails or the service rejects the file
        :raises ValueError: if the job isn't waiting for a file

        >>> job = await client.upload_job_file(job, open("codes.csv", "rb"))
        """
        return await self._run(self._exchange.upload_file(job, file, timeout))

    async def wait_for_job(
        self, id: str, *, on_progress: Optional[Callable[[Job], Any]] = None, deadline: Optional[float] = None
    ) -> Job:
        """Waits until a job finishes, fails, or is canceled.

        Temporary errors end the wait only after 10 consecutive failed requests. If your program restarts, call this method
        again with the same ID.

        :param on_progress: receives the job whenever its state or its number of processed rows changes
        :param deadline: maximum time to wait in seconds (default: no limit); the job continues after a timeout
        :raises TimeoutError: after the deadline

        >>> job = await client.wait_for_job(job["id"], on_progress=lambda job: print(job["processed_rows"]))
        """
        return await self._run(self._exchange.wait_for_job(id, on_progress, deadline))

    async def download_job_result(self, job: Job, file: BinaryIO, *, timeout: Optional[float] = None) -> None:
        """Downloads a job's result to a file. The result is streamed, not loaded into memory.

        While the job is running, the result contains only the rows processed so far.

        :param file: file that was opened in binary mode, or another object with ``write``
        :param timeout: timeout in seconds for each read and write (default: the client's timeout)
        :raises ComplianceError: if the download fails; the file is then incomplete
        :raises ValueError: if the job hasn't started

        >>> await client.download_job_result(job, open("result.csv", "wb"))
        """
        return await self._run(self._exchange.save_file(job["result_url"], file, timeout))

    async def download_job_certificates(self, job: Job, file: BinaryIO, *, timeout: Optional[float] = None) -> None:
        """Downloads a ZIP file with a job's certificate PDFs and an index. The ZIP file is streamed, not loaded into memory.

        While the job is running, the ZIP file contains only the certificates issued so far.

        :param file: file that was opened in binary mode, or another object with ``write``
        :param timeout: timeout in seconds for each read and write (default: the client's timeout)
        :raises ComplianceError: if the download fails; the file is then incomplete
        :raises ValueError: if the job doesn't issue certificates or hasn't started

        >>> await client.download_job_certificates(job, open("certificates.zip", "wb"))
        """
        return await self._run(self._exchange.save_file(job.get("certificates_url"), file, timeout))

    async def _pages(self, path: str, fields: Dict[str, Any], items: str, cursor: str, options: CallOptions) -> AsyncIterator[Any]:
        """Yields the items on all pages. The response field ``next_<cursor>`` contains the cursor for the next page."""
        while True:
            page = await self._run(self._exchange.read(path, fields, options))
            if not isinstance(page.get(items), list):
                raise DecodeError("The response doesn't contain {}.".format(items))
            for item in page[items]:
                yield item
            following = page.get("next_" + cursor)
            if following is None or not page[items]:
                return
            fields = {**fields, cursor: following}

    async def _run(self, steps: Steps[Result]) -> Result:
        try:
            step = next(steps)
            while True:
                if isinstance(step, tuple):
                    try:
                        response = await self._transport(*step)
                    except ComplianceError as error:
                        step = steps.throw(error)
                    else:
                        step = steps.send(response)
                else:
                    await asyncio.sleep(step)
                    step = next(steps)
        except StopIteration as done:
            return done.value
