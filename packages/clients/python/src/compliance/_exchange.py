"""Parts of a call that don't perform I/O, shared by the sync and async clients."""

import json
import math
import os
import random
import re
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from hashlib import sha256
from ipaddress import ip_address
from time import monotonic
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Generator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
)
from urllib.parse import quote, urlencode, urlsplit

from ._job_wait import wait
from .errors import (
    ComplianceError,
    ConnectionError,
    DecodeError,
    Issue,
    RateLimitWindow,
    TimeoutError,
    error_class,
    message_for,
)
from .models import GccGenerateResponse, HtsLookupResponse, Job
from .transport import Request, Response

MAX_CODES = 1000
"""Maximum number of codes per request."""
MAX_WAIT = 60
"""Longest ``Retry-After``, in seconds, that the client honors. If a response requests a longer wait, the call fails."""

Result = TypeVar("Result")
Steps = Generator[Union[Tuple[Request, float], float], Optional[Response], Result]
"""Generator for one call.

Yields either a request and its timeout in seconds, or a number of seconds to wait. Returns the call's result.
"""


class ResponseInfo(NamedTuple):
    """Response metadata that isn't part of the body."""

    status: int
    request_id: Optional[str]
    rate_limit: Sequence[RateLimitWindow]


class RequestEvent(NamedTuple):
    """Attempt that is about to start. To protect secrets, the event omits the URL's query string and the headers."""

    method: str
    url: str
    attempt: int
    """Attempt number within the call, starting at 1."""
    idempotency_key: Optional[str]
    """Key that all attempts of the call share, or ``None`` for a read-only call."""


class ResponseEvent(NamedTuple):
    """Attempt that has ended."""

    method: str
    url: str
    attempt: int
    idempotency_key: Optional[str]
    status: Optional[int]
    request_id: Optional[str]
    rate_limit: Sequence[RateLimitWindow]
    seconds: float
    error: Optional[ComplianceError]
    """Reason that the attempt failed, or ``None`` if it succeeded. The error doesn't contain the API key."""


class Hooks(NamedTuple):
    """Functions that are called before and after each attempt."""

    on_request: Optional[Callable[[RequestEvent], None]]
    on_response: Optional[Callable[[ResponseEvent], None]]


class CallOptions(NamedTuple):
    """Options for one call. If an option is ``None``, the client's option applies."""

    timeout: Optional[float] = None
    deadline: Optional[float] = None
    max_retries: Optional[int] = None
    idempotency_key: Optional[str] = None


class Defaults(NamedTuple):
    """Options for all of a client's calls."""

    timeout: float
    deadline: Optional[float]
    max_retries: int


class _Limits(NamedTuple):
    """Options for a call. ``until`` is the call's deadline as a ``time.monotonic`` value."""

    timeout: float
    until: float
    max_retries: int


class _Result(Dict[str, Any]):
    """Result of a call, with its response metadata."""

    info: ResponseInfo


def response_of(result: Mapping[str, Any]) -> ResponseInfo:
    """Returns the status, request ID, and rate limits of the response that contained a result.

    For a lookup that the client split into several requests, returns those of the last response.

    :raises TypeError: if the object isn't the result of a call

    >>> response_of(client.tariff.lists()).request_id
    '2b6f0cc904d137be2e1730235f5664094b831186'
    """
    if not isinstance(result, _Result):
        raise TypeError("This object wasn't returned by a client call.")
    return result.info


class Exchange:
    """Request layer shared by all client operations. The layer adds the API key, retries requests, and maps errors."""

    def __init__(
        self, api_key: Optional[str], base_url: Optional[str], allow_http: bool, defaults: Defaults, hooks: Hooks
    ) -> None:
        self.__key = api_key or os.environ.get("COMPLIANCE_API_KEY", "")
        if not _printable(self.__key):
            raise ValueError("Set api_key or COMPLIANCE_API_KEY to an API key (printable ASCII without spaces).")
        self.__allow_http = allow_http
        self.__base = _safe_url(base_url or os.environ.get("COMPLIANCE_BASE_URL") or "http://127.0.0.1:8787", allow_http)
        self.__defaults = defaults
        self.__hooks = hooks
        self.rate_limit: Sequence[RateLimitWindow] = ()

    def call(self, path: str, request: Mapping[str, Any], options: CallOptions, lists: Sequence[str] = ()) -> Steps[Any]:
        """Calls an operation with a JSON body. The path is relative to ``/api/v1/``. Fields that are ``None`` are omitted.

        A string in one of the fields in ``lists`` is rejected, because Python would treat it as a list of characters.
        """
        return (yield from self.__call(path, request, options, self.__limits(options), lists))

    def __call(
        self, path: str, request: Mapping[str, Any], options: CallOptions, limits: _Limits, lists: Sequence[str]
    ) -> Steps[Any]:
        for name in lists:
            if isinstance(request.get(name), str):
                raise TypeError('{} must be a list, such as ["…"].'.format(name))
        key = uuid.uuid4().hex if options.idempotency_key is None else options.idempotency_key
        if not _printable(key):
            raise ValueError("idempotency_key must be printable ASCII without spaces.")
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        body = json.dumps(_given(request)).encode()
        return (yield from self.__send(Request("POST", path, headers, body), limits))

    def read(self, path: str, fields: Mapping[str, Any], options: CallOptions) -> Steps[Any]:
        """Calls a read-only operation.

        Each field that isn't ``None`` replaces its ``{name}`` placeholder in the path or is added to the query.
        """
        query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in _given(fields).items()}
        for name in re.findall(r"{(\w+)}", path):
            path = path.replace("{" + name + "}", quote(query.pop(name), safe=""))
        return self.__send(Request("GET", path + "?" + urlencode(query), {}, b""), self.__limits(options))

    def __limits(self, options: CallOptions) -> _Limits:
        own = self.__defaults
        timeout = own.timeout if options.timeout is None else options.timeout
        deadline = own.deadline if options.deadline is None else options.deadline
        max_retries = own.max_retries if options.max_retries is None else options.max_retries
        return _Limits(timeout, float("inf") if deadline is None else monotonic() + deadline, max_retries)

    def __send(self, request: Request, limits: _Limits) -> Steps[Any]:
        headers = {**request.headers, "Authorization": "Bearer " + self.__key, "Accept": "application/json"}
        headers["User-Agent"] = "compliance-python/0.1.0"
        url = "{}/api/v1/{}".format(self.__base, request.url)
        response = yield from self.__retried(request._replace(url=url, headers=headers), limits)
        info, body = _info_of(response), _parse_object(response.body)
        if body is None:
            message = "{}: the response isn't a JSON object.".format(response.status)
            raise DecodeError(message, **info._asdict())
        result = _Result(body)
        result.info = info
        return result

    def lookup(self, codes: Sequence[str], fields: Dict[str, Any], options: CallOptions) -> Steps[HtsLookupResponse]:
        """Looks up any number of codes. Sends as many requests as needed, all for the same date, and merges the responses."""
        if isinstance(codes, str):
            raise TypeError('codes must be a list, such as ["…"].')
        limits, key = self.__limits(options), options.idempotency_key
        merged = _Result()
        for start in range(0, max(len(codes), 1), MAX_CODES):
            part = list(codes[start : start + MAX_CODES])
            part_key = "{}-{}".format(key, start) if key is not None and start > 0 else key
            part_options = options._replace(idempotency_key=part_key)
            request = {**fields, "codes": part}
            try:
                response: _Result = yield from self.__call("tariff/hts/lookup", request, part_options, limits, ())
                if len(codes) > MAX_CODES and len(response.get("results") or ()) != len(part):
                    raise DecodeError("The response must contain exactly one result for each code.")
            except ComplianceError as error:
                error.partial = cast(HtsLookupResponse, merged) if start > 0 else None
                raise
            if start == 0:
                merged = response
                fields["as_of"] = fields.get("as_of") or _object_at(response, "list").get("as_of")
            else:
                merged["results"] += response["results"]
                _object_at(merged, "list", "sources").update(_object_at(response, "list", "sources"))
                merged.info = response.info
        return cast(HtsLookupResponse, merged)

    def download(self, result: GccGenerateResponse, options: CallOptions) -> Steps[bytes]:
        """Downloads a certificate from its signed URL, without sending the API key, and verifies the file."""
        expected = result.get("pdf_sha256") or result.get("sha256")
        if not expected:
            raise DecodeError("The certificate's SHA-256 hash is missing, so the file can't be verified.")
        url = _safe_url(result["gcc_pdf_url"], self.__allow_http)
        response = yield from self.__retried(Request("GET", url, {}, b""), self.__limits(options))
        if sha256(response.body).hexdigest() != expected.lower():
            raise DecodeError("The file doesn't match the certificate's SHA-256 hash.")
        return response.body

    def upload_file(self, job: Job, file: BinaryIO, timeout: Optional[float]) -> Steps[Job]:
        """Uploads a job's file to its signed URL, without sending the API key."""
        url = job["upload_url"]
        if url is None:
            raise ValueError("The job already has its file, has an input_url, or was canceled.")
        request = Request("PUT", _safe_url(url, self.__allow_http), {}, b"", source=file)
        response = yield from self.__retried(request, self.__file_limits(timeout))
        return cast(Job, _parse_object(response.body) or {})

    def save_file(self, url: Optional[str], file: BinaryIO, timeout: Optional[float]) -> Steps[None]:
        """Downloads a job's file from its signed URL to a local file, without sending the API key."""
        if url is None:
            raise ValueError("The job hasn't started, or it doesn't issue certificates.")
        yield from self.__retried(Request("GET", _safe_url(url, self.__allow_http), {}, b"", target=file), self.__file_limits(timeout))

    def wait_for_job(
        self, job_id: str, on_progress: Optional[Callable[[Job], Any]], deadline: Optional[float]
    ) -> Steps[Job]:
        """Polls a job until it has finished."""
        return wait(lambda: self.read("jobs/{id}", {"id": job_id}, CallOptions()), on_progress, deadline)

    def __file_limits(self, timeout: Optional[float]) -> _Limits:
        """Returns the limits for a file transfer, which is attempted only once."""
        return _Limits(self.__defaults.timeout if timeout is None else timeout, math.inf, 0)

    def __retried(self, request: Request, limits: _Limits) -> Steps[Response]:
        on_request, on_response = self.__hooks
        attempt = 0
        while True:
            attempt += 1
            event = RequestEvent(request.method, request.url.split("?")[0], attempt, request.headers.get("Idempotency-Key"))
            if on_request:
                on_request(event)
            started = monotonic()
            response, error = None, None
            try:
                left = limits.until - started
                if left <= 0:
                    raise TimeoutError("The call didn't finish before its deadline.")
                response = cast(Response, (yield request, min(limits.timeout, left)))
                if not 200 <= response.status < 300:
                    error = _error_of(response, self.__key)
            except ComplianceError as failed:
                error = failed
            status, request_id, rate_limit = _info_of(response) if response else (None, None, ())
            self.rate_limit = rate_limit or self.rate_limit
            if on_response:
                seconds = monotonic() - started
                on_response(ResponseEvent(*event, status, request_id, rate_limit, seconds, error))
            if error is None:
                return cast(Response, response)
            # Use full jitter, so that clients that fail at the same time don't retry at the same time.
            wait = max(error.retry_after or 0.0, random.uniform(0, min(8, 0.5 * 2 ** (attempt - 1))))
            is_late = monotonic() + wait >= limits.until
            is_final = attempt > limits.max_retries or (error.retry_after or 0.0) > MAX_WAIT
            if not _is_transient(error) or is_final or is_late:
                raise error
            yield wait


def path_of(path: str, **values: str) -> str:
    """Replaces each ``{name}`` placeholder in a path with its percent-encoded value."""
    return path.format(**{name: quote(value, safe="") for name, value in values.items()})


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _is_transient(error: ComplianceError) -> bool:
    status = error.status or 0
    return isinstance(error, ConnectionError) or status in (408, 409, 429) or status >= 500


def _info_of(response: Response) -> ResponseInfo:
    return ResponseInfo(response.status, response.headers.get("x-request-id"), rate_limit_of(response.headers))


def _error_of(response: Response, key: str) -> ComplianceError:
    # Remove the API key from the error, because a service or gateway might echo the request.
    body = _parse_object(response.body.replace(key.encode(), b"[key]")) or {}
    texts = (body.get(name) for name in ("error", "reason", "message", "request_id"))
    code, reason, message, request_id = (text if isinstance(text, str) else None for text in texts)
    if message is None:
        message = "redirected; check the base URL." if response.status < 400 else message_for(code)
    issues, info = body.get("issues"), _info_of(response)
    return error_class(response.status, code)(
        "{}{}: {}".format(response.status, " " + code if code else "", message),
        status=response.status,
        code=code,
        reason=reason,
        request_id=info.request_id or request_id,
        issues=cast(List[Issue], issues) if isinstance(issues, list) else None,
        rate_limit=info.rate_limit,
        retry_after=retry_after_of(response.headers),
        body=body or None,
    )


def rate_limit_of(headers: Mapping[str, str]) -> Sequence[RateLimitWindow]:
    """Parses the ``RateLimit`` and ``RateLimit-Policy`` headers."""
    policies = re.findall(r'"(\w+)";q=(\d+);w=(\d+)', headers.get("ratelimit-policy", ""))
    left = {name: (int(r), int(t)) for name, r, t in re.findall(r'"(\w+)";r=(\d+);t=(\d+)', headers.get("ratelimit", ""))}
    return [RateLimitWindow(name, int(q), int(w), *left[name]) for name, q, w in policies if name in left]


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Returns the number of seconds to wait according to ``Retry-After``.

    If ``Retry-After`` is a date, calculates the wait relative to the ``Date`` header, because the client and server
    clocks might differ.
    """
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        date = headers.get("date")
        now = parsedate_to_datetime(date) if date else datetime.now(timezone.utc)
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast(Dict[str, Any], value) if isinstance(value, dict) else None


def _object_at(value: Any, *path: str) -> Dict[str, Any]:
    for name in path:
        value = cast(Dict[str, Any], value).get(name) if isinstance(value, dict) else None
    return cast(Dict[str, Any], value) if isinstance(value, dict) else {}


def _printable(text: str) -> bool:
    return re.fullmatch(r"[\x21-\x7e]+", text) is not None


def _safe_url(text: str, allow_http: bool) -> str:
    """Checks that it's safe to send an API key to a URL, and returns the URL without its trailing slash."""
    url = urlsplit(text)
    if url.scheme != "https" and not (url.scheme == "http" and (allow_http or _is_loopback(url.hostname or ""))):
        raise ValueError("Use an HTTPS URL. Plain HTTP is allowed only for localhost, unless allow_http is set.")
    if "@" in url.netloc or not _printable(text):
        raise ValueError("The URL must not contain a username, a password, or a space.")
    return text.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
