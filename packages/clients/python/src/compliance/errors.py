"""Errors raised by client calls. No error contains the API key."""

from typing import Any, Dict, NamedTuple, Optional, Sequence, Type, TypedDict, Union

from .models import ErrorCode, ErrorReason, HtsLookupResponse, IssueCode


class RateLimitWindow(NamedTuple):
    """API key rate limit (``minute`` or ``day``), with its quota, window, and remaining requests."""

    name: str
    quota: int
    window_seconds: int
    remaining: int
    reset_seconds: int


class Issue(TypedDict):
    """Invalid field in a request: its dotted path (``codes.3``), a stable error code, and a message that explains the fix."""

    path: str
    code: Union[IssueCode, str]
    message: str


class ComplianceError(Exception):
    """Base class of the errors raised by calls, other than ``TypeError`` and ``ValueError`` for invalid arguments.

    Each subclass represents one kind of error.

    Switch on the class or on ``code``, not on the message.

    >>> ComplianceError("429 rate_limited", status=429, retry_after=12.0).retry_after
    12.0
    """

    status: Optional[int] = None
    """HTTP status, or ``None`` if there was no response."""
    code: Optional[Union[ErrorCode, str]] = None
    """Stable error code from the service, such as ``invalid_request``."""
    reason: Optional[Union[ErrorReason, str]] = None
    """Reason that a page can't be scanned, such as ``robots``. Only for the codes ``scan_failed`` and ``upstream``."""
    request_id: Optional[str] = None
    """Request ID to include when you contact the service operator."""
    issues: Sequence[Issue] = ()
    """Invalid request fields."""
    retry_after: Optional[float] = None
    """Number of seconds that the service asks the client to wait before the next attempt."""
    rate_limit: Sequence[RateLimitWindow] = ()
    """Remaining rate limits. Empty if there was no response, or if the response doesn't include them."""
    partial: Optional[HtsLookupResponse] = None
    """Results of the requests that succeeded in a long lookup before another request failed."""
    body: Optional[Dict[str, Any]] = None
    """Parsed response body, including fields that this class doesn't define."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.__dict__.update(details)


class InvalidRequestError(ComplianceError):
    """Error for a request that the service rejected (400, 404, 413, 422, and other 4xx). ``issues`` lists the invalid fields."""


class AuthenticationError(ComplianceError):
    """Error for a missing or invalid API key (401)."""


class PermissionError(ComplianceError):
    """Error for an API key that doesn't have access to the operation (403)."""


class BetaAccessError(PermissionError):
    """Error for a valid API key that doesn't have delegate access (403 ``beta``)."""


class RateLimitError(ComplianceError):
    """Error for exceeding the rate limit for the API key or a scanned site (429). ``retry_after`` is the wait in seconds."""


class UpstreamError(ComplianceError):
    """Error for a failure of the service or one of its upstreams (5xx)."""


class ConnectionError(ComplianceError):
    """Error for a connection that failed or was lost before the response was complete."""


class TimeoutError(ComplianceError):
    """Error for a response that wasn't complete in time."""


class DecodeError(ComplianceError):
    """Error for a response that can't be used.

    For example, the response is invalid JSON, a redirect, or a file that doesn't match its SHA-256 hash.
    """


def message_for(code: Optional[str]) -> str:
    """Returns a message for an error response without a message. For some errors, the service sends only a code."""
    if code == "beta":
        return "the API key doesn't have delegate access. To get access, contact the operator who issued the key."
    if code == "scope":
        return "the API key doesn't have access to this product area."
    return "no message."


def error_class(status: int, code: Optional[str]) -> Type[ComplianceError]:
    """Returns the error class for an HTTP status other than 2xx."""
    if status == 401:
        return AuthenticationError
    if status == 403:
        return BetaAccessError if code == "beta" else PermissionError
    if status == 429:
        return RateLimitError
    if status >= 500:
        return UpstreamError
    return InvalidRequestError if status >= 400 else DecodeError
