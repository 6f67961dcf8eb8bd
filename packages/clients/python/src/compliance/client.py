"""The client. The one for asyncio, ``aio.py``, is written from this file by ``pnpm gen``."""

import time
from typing import Callable, List, Optional, Sequence, Union

from ._exchange import Exchange, RateLimitWindow, Result, Steps
from .errors import ComplianceError
from .models import GccGenerateRequest, GccGenerateResponse, HtsLookupResponse, Inventory, PixelScanResponse, Program
from .models import TariffChangesResponse, TariffListsResponse
from .transport import Request, Response, send

Transport = Callable[[Request, float], Response]
"""Carries a request within a number of seconds; raises :class:`ConnectionError` or :class:`TimeoutError`."""


class Hts:
    """``client.tariff.hts``"""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def lookup(
        self,
        codes: Sequence[str],
        *,
        as_of: Optional[str] = None,
        programs: Union[str, List[Program], None] = None,
        origin: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> HtsLookupResponse:
        """Looks HTS codes up in the Section 232 lists: one result for each code, in order.

        More than 1,000 codes become calls one after another, all for the same date, and their answers one answer.

        :raises ComplianceError: see :mod:`compliance.errors`

        >>> client.tariff.hts.lookup(["7318.15.2061"], origin="JP")["results"][0]["status"]
        'hit'
        """
        fields = {"as_of": as_of, "programs": programs, "origin": origin}
        client = self._client
        return client._run(client._exchange.lookup(codes, fields, max_retries, idempotency_key), timeout)


class Tariff:
    """``client.tariff``"""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self.hts = Hts(client)

    def lists(
        self, *, as_of: Optional[str] = None, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> TariffListsResponse:
        """Says which edition of the lists answers, how many listings are in force on a date, and where they were read.

        :param as_of: today if left out
        :raises ComplianceError: see :mod:`compliance.errors`

        >>> client.tariff.lists(as_of="2026-10-01")["known_through"]
        '2026-10-09'
        """
        client = self._client
        return client._run(client._exchange.read("lists", {"as_of": as_of}, max_retries), timeout)

    def changes(
        self, from_: str, to: str, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> TariffChangesResponse:
        """Compares the lists on two dates: what was added, removed, moved to another annex, or charged differently.

        :raises ComplianceError: see :mod:`compliance.errors`

        >>> client.tariff.changes("2026-06-07", "2026-06-08")["moved"][0]["hts"]
        '8407.90.10'
        """
        client = self._client
        query = {"from": from_, "to": to}
        return client._run(client._exchange.read("tariff/changes", query, max_retries), timeout)


class Pixel:
    """``client.pixel``"""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def scan(
        self,
        url: str,
        *,
        baseline: Optional[Inventory] = None,
        profile: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> PixelScanResponse:
        """Scans a storefront for dead, doubled and drifting tags.

        With the inventory of an earlier scan as ``baseline`` the answer says what has changed (``drift``).

        :raises ComplianceError: see :mod:`compliance.errors`

        >>> client.pixel.scan("https://shop.example")["score"]
        75
        """
        request = {"url": url, "baseline": baseline, "profile": profile}
        client = self._client
        return client._run(client._exchange.call("pixel.scan", request, max_retries, idempotency_key), timeout)


class Gcc:
    """``client.entry.gcc``"""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def generate(
        self,
        request: GccGenerateRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> GccGenerateResponse:
        """Makes a General Certificate of Conformity.

        Tries of one call share an idempotency key, so that it is made once.

        :raises ComplianceError: see :mod:`compliance.errors`

        >>> client.entry.gcc.generate(certificate)["gcc_id"]
        '5f0c…'
        """
        client = self._client
        return client._run(client._exchange.call("entry.gcc.generate", request, max_retries, idempotency_key), timeout)


class Entry:
    """``client.entry``"""

    def __init__(self, client: "Client") -> None:
        self.gcc = Gcc(client)


class Client:
    """The client of the Portfolio Compliance API. It may be shared by threads.

    :param api_key: ``COMPLIANCE_API_KEY`` if left out
    :param base_url: ``COMPLIANCE_BASE_URL`` if left out, else ``http://127.0.0.1:8787``; https unless it is this machine
    :param timeout: seconds for each try, from the connection to the last byte of the answer
    :param max_retries: tries after the first, on connection errors, 408, 409, 429 and 5xx
    :param transport: carries the requests instead of :func:`compliance.transport.send`: a proxy, a stub in tests
    :raises ValueError: without a key, or for an address that a key must not be sent to

    >>> client = Client(base_url="https://compliance.example")
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        transport: Transport = send,
    ) -> None:
        self._exchange = Exchange(api_key, base_url, max_retries)
        self._timeout = timeout
        self._transport = transport
        self.tariff = Tariff(self)
        self.pixel = Pixel(self)
        self.entry = Entry(self)

    @property
    def rate_limit(self) -> Sequence[RateLimitWindow]:
        """What was left of the key's limits after the last answer that told; empty before."""
        return self._exchange.rate_limit

    def download_certificate(self, result: GccGenerateResponse, *, timeout: Optional[float] = None) -> bytes:
        """Fetches the PDF of a certificate and checks it against the SHA-256 of the answer that named it.

        :raises DecodeError: when the file is another, or the answer has no SHA-256

        >>> pathlib.Path("gcc.pdf").write_bytes(client.download_certificate(result))
        48211
        """
        return self._run(self._exchange.download(result), timeout)

    def _run(self, steps: Steps[Result], timeout: Optional[float]) -> Result:
        seconds = self._timeout if timeout is None else timeout
        try:
            step = next(steps)
            while True:
                if isinstance(step, Request):
                    try:
                        answer = self._transport(step, seconds)
                    except ComplianceError as error:
                        step = steps.throw(error)
                    else:
                        step = steps.send(answer)
                else:
                    time.sleep(step)
                    step = next(steps)
        except StopIteration as done:
            return done.value
