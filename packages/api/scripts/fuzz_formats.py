"""Defines string formats for Schemathesis.

JSON Schema doesn't define the `country-code` and `hts-code` formats, so Schemathesis picks these values from lists of codes. For the `uri`
format, Schemathesis uses only URLs in the test network, because the schema can't express which URLs can be scanned.
"""

import os

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format("country-code", strategies.sampled_from(os.environ["COUNTRY_CODES"].split(",")))
schemathesis.openapi.format("hts-code", strategies.sampled_from(["7326.90.8688", "8708 99 8180", "8703.23.01", "30049092", "0101"]))
schemathesis.openapi.format("uri", strategies.sampled_from(["http://shop.example/", "http://a.example", "HTTP://B.example:80/#x"]))
