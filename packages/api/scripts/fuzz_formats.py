"""What a `country-code` is: JSON Schema has no such format, so schemathesis is told the codes.

An address is one of the storefront that the fuzzed service can see: whether another may be scanned, no schema says.
"""

import os

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format("country-code", strategies.sampled_from(os.environ["COUNTRY_CODES"].split(",")))
schemathesis.openapi.format("uri", strategies.sampled_from(["http://shop.example/", "http://a.example", "HTTP://B.example:80/#x"]))
