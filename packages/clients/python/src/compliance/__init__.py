"""Client for the Portfolio Compliance API: HTS code lookups, storefront scans, and certificates of conformity.

>>> client = compliance.Client(base_url="https://compliance.example")  # uses the key in COMPLIANCE_API_KEY
>>> client.tariff.hts.lookup(["7318.15.2061"])["results"][0]["status"]
'hit'
"""

from ._exchange import RequestEvent as RequestEvent
from ._exchange import ResponseEvent as ResponseEvent
from ._exchange import ResponseInfo as ResponseInfo
from ._exchange import response_of as response_of
from .aio import AsyncClient as AsyncClient
from .client import Client as Client
from .errors import AuthenticationError as AuthenticationError
from .errors import BetaAccessError as BetaAccessError
from .errors import ComplianceError as ComplianceError
from .errors import ConnectionError as ConnectionError
from .errors import DecodeError as DecodeError
from .errors import InvalidRequestError as InvalidRequestError
from .errors import Issue as Issue
from .errors import PermissionError as PermissionError
from .errors import RateLimitError as RateLimitError
from .errors import RateLimitWindow as RateLimitWindow
from .errors import TimeoutError as TimeoutError
from .errors import UpstreamError as UpstreamError
from .transport import Request as Request
from .transport import Response as Response
from .webhook import WebhookVerificationError as WebhookVerificationError
from .webhook import verify_webhook as verify_webhook

__version__ = "0.1.0"
