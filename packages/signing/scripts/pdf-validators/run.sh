#!/bin/sh
# Signs the samples and validates them with veraPDF and pyHanko. pyHanko must also detect changed bytes. Requires Java
# 11 or later, Maven, Python 3.9 or later, and OpenSSL 3. Run this script from packages/signing.
set -eu
samples=$(mktemp -d)
trap 'rm -r "$samples"' EXIT
node --conditions=@compliance/source scripts/pdf-validators/write-samples.ts "$samples"
mvn -q -f ../core/scripts/pdf-validators/pom.xml compile exec:java -Dexec.args="$samples"
python3 -m venv "$samples/venv"
"$samples/venv/bin/pip" install -q -r scripts/pdf-validators/requirements.txt
"$samples/venv/bin/python" scripts/pdf-validators/validate.py "$samples"
