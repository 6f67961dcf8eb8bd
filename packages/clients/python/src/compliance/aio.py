"""Async client. Generated from client.py by `pnpm gen`."""

import asyncio
from typing import Awaitable, Callable, Optional, Sequence

from ._exchange import Exchange, RateLimitWindow, Result, Steps
from ._aio_operations import AsyncOperations
from .errors import ComplianceError
from .models import GccGenerateResponse
from .transport import Request, Response, send_async

AsyncTransport = Callable[[Request, float], Awaitable[Response]]
"""Function that sends a request with a timeout in seconds. Raises :class:`ConnectionError` or :class:`TimeoutError`."""


class AsyncClient(AsyncOperations):
    """AsyncClient for the Portfolio Compliance API. Use each client in only one event loop.

    :param api_key: API key (default: ``COMPLIANCE_API_KEY``)
    :param base_url: service URL, which must use HTTPS except for localhost (default: ``COMPLIANCE_BASE_URL``, or
        ``http://127.0.0.1:8787``)
    :param allow_http: whether to also allow plain HTTP to hosts other than localhost, such as a container in the same private
        network; anyone who can read the network traffic can then read the API key
    :param timeout: timeout in seconds for each attempt, from connecting to receiving the last byte of the response
    :param max_retries: maximum number of retries after connection errors and 408, 409, 429, and 5xx responses
    :param transport: replacement for :func:`compliance.transport.send_async`, for example for a proxy or a test stub
    :raises ValueError: if the API key is missing, or if it isn't safe to send the key to the base URL

    >>> client = AsyncClient(base_url="https://compliance.example")
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        allow_http: bool = False,
        timeout: float = 30.0,
        max_retries: int = 2,
        transport: AsyncTransport = send_async,
    ) -> None:
        super().__init__(self)
        self._exchange = Exchange(api_key, base_url, allow_http, max_retries)
        self._timeout = timeout
        self._transport = transport

    @property
    def rate_limit(self) -> Sequence[RateLimitWindow]:
        """Remaining rate limits from the most recent response that included them. Initially empty."""
        return self._exchange.rate_limit

    async def download_certificate(self, result: GccGenerateResponse, *, timeout: Optional[float] = None) -> bytes:
        """Downloads a certificate PDF and verifies the file against the SHA-256 hash in the response with the link.

        :raises DecodeError: if the hash is missing or doesn't match the file

        >>> pathlib.Path("gcc.pdf").write_bytes(await client.download_certificate(result))
        48211
        """
        return await self._run(self._exchange.download(result), timeout)

    async def _run(self, steps: Steps[Result], timeout: Optional[float]) -> Result:
        seconds = self._timeout if timeout is None else timeout
        try:
            step = next(steps)
            while True:
                if isinstance(step, Request):
                    try:
                        response = await self._transport(step, seconds)
                    except ComplianceError as error:
                        step = steps.throw(error)
                    else:
                        step = steps.send(response)
                else:
                    await asyncio.sleep(step)
                    step = next(steps)
        except StopIteration as done:
            return done.value
