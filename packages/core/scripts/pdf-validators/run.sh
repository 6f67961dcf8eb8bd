#!/bin/sh
# Renders the samples and validates them with veraPDF and PDFBox Preflight. Requires Maven and Java 11 or later. Run
# this script from packages/core. Preflight supports only PDF/A-1b, so the samples are also rendered in that format.
set -eu
samples=$(mktemp -d)
trap 'rm -r "$samples"' EXIT
node --conditions=@compliance/source scripts/write-samples.ts "$samples/issued"
node --conditions=@compliance/source scripts/write-samples.ts "$samples/pdfa-1b" PDF/A-1b
mvn -q -f scripts/pdf-validators/pom.xml compile exec:java -Dexec.args="$samples/issued $samples/pdfa-1b"
