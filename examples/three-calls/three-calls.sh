# Usage: sh three-calls.sh https://your-shop.example
set -eu

# call PATH: sends the JSON from standard input to the endpoint at PATH.
call() {
  curl -sS --fail-with-body "$COMPLIANCE_BASE_URL/api/v1/$1" \
    -H "Authorization: Bearer $COMPLIANCE_API_KEY" -H 'Content-Type: application/json' -d @-
}

echo '{"codes":["7318.15.2061"],"as_of":"2026-10-01"}' | call tariff/hts/lookup
echo
echo "{\"url\":\"$1\"}" | call pixel/scan
echo
call entry/gcc/generate < helmet.json
echo
