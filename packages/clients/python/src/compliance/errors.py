"""What a failed call raises. No error holds the API key."""

from typing import Any, Dict, Optional, Sequence, Type, TypedDict


class Issue(TypedDict):
    """One fault of a request: the dotted path of the field (``codes.3``), a stable code, and what to do."""

    path: str
    code: str
    message: str


class ComplianceError(Exception):
    """What every failed call raises. The classes below say which kind of failure it is.

    Switch on the class or on ``code``, not on the message.

    >>> ComplianceError("429 rate_limited", status=429, retry_after=12.0).retry_after
    12.0
    """

    status: Optional[int] = None
    """HTTP status; ``None`` when no answer came."""
    code: Optional[str] = None
    """The stable error code of the service, such as ``invalid_request``."""
    request_id: Optional[str] = None
    """Names the request in a report to the operator."""
    issues: Sequence[Issue] = ()
    """The fields at fault."""
    retry_after: Optional[float] = None
    """Seconds that the service asks to wait."""
    body: Optional[Dict[str, Any]] = None
    """The answer as it was parsed, with fields that are not named here."""

    def __init__(self, message: str, **told: Any) -> None:
        super().__init__(message)
        self.__dict__.update(told)


class InvalidRequestError(ComplianceError):
    """The service does not take the request (400, 404, 413, 422 and other 4xx); ``issues`` names the fields at fault."""


class AuthenticationError(ComplianceError):
    """The key is missing or not valid (401)."""


class PermissionError(ComplianceError):
    """The key is not for this (403)."""


class BetaAccessError(PermissionError):
    """The key is valid but not admitted to the beta (403 ``beta``)."""


class RateLimitError(ComplianceError):
    """The limit of the key is used up (429); ``retry_after`` says for how many seconds."""


class UpstreamError(ComplianceError):
    """The service, or what it asked, failed (5xx)."""


class ConnectionError(ComplianceError):
    """No connection, or it broke before the answer was complete."""


class TimeoutError(ComplianceError):
    """The answer was not complete in time."""


class DecodeError(ComplianceError):
    """An answer came that is not what the service promises: no JSON, a redirect, another file."""


def error_class(status: int, code: Optional[str]) -> Type[ComplianceError]:
    """The class for an HTTP status that is no success."""
    if status == 401:
        return AuthenticationError
    if status == 403:
        return BetaAccessError if code == "beta" else PermissionError
    if status == 429:
        return RateLimitError
    if status >= 500:
        return UpstreamError
    return InvalidRequestError if status >= 400 else DecodeError
