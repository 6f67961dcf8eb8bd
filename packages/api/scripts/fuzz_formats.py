"""What a `country-code` is: JSON Schema has no such format, so schemathesis is told the codes."""

import os

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format("country-code", strategies.sampled_from(os.environ["COUNTRY_CODES"].split(",")))
