#!/bin/sh
# Draws the samples and validates them with veraPDF. Needs Java 11 or later and Maven; run it from packages/core.
set -eu
samples=$(mktemp -d)
trap 'rm -r "$samples"' EXIT
node --conditions=@compliance/source scripts/write-samples.ts "$samples"
mvn -q -f scripts/verapdf/pom.xml compile exec:java -Dexec.args="$samples"
