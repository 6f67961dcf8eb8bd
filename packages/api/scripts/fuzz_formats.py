"""Defines string formats for Schemathesis.

JSON Schema has no `country-code` or `hts-code` format, so Schemathesis gets lists of codes. Every `uri` is the URL of a storefront in the test
network, because the schema can't express which URLs can be scanned.
"""

import os

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format("country-code", strategies.sampled_from(os.environ["COUNTRY_CODES"].split(",")))
schemathesis.openapi.format("hts-code", strategies.sampled_from(["7326.90.8688", "8708 99 8180", "8703.23.01", "30049092", "0101"]))
schemathesis.openapi.format("uri", strategies.sampled_from(["http://shop.example/", "http://a.example", "HTTP://B.example:80/#x"]))
