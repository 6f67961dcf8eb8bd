#!/bin/sh
# Draws the samples and validates them with veraPDF and PDFBox Preflight. Needs Java 11 or later and Maven; run it from
# packages/core. Preflight knows PDF/A-1b alone, so it gets the same records in that form.
set -eu
samples=$(mktemp -d)
trap 'rm -r "$samples"' EXIT
node --conditions=@compliance/source scripts/write-samples.ts "$samples/issued"
node --conditions=@compliance/source scripts/write-samples.ts "$samples/pdfa-1b" PDF/A-1b
mvn -q -f scripts/pdf-validators/pom.xml compile exec:java -Dexec.args="$samples/issued $samples/pdfa-1b"
