# Usage: python3 three_calls.py https://your-shop.example
import json
import sys

import compliance

shop = sys.argv[1]
client = compliance.Client()  # reads COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL

answer = client.tariff.hts.lookup(["7318.15.2061"], as_of="2026-10-01")
print(answer["results"][0]["code"], answer["results"][0]["status"])

scan = client.pixel.scan(shop)
print(shop, scan["score"], scan["findings"][0]["message"])

with open("helmet.json") as file:
    made = client.entry.gcc.generate(json.load(file))
print(made["gcc_id"], made["completeness"]["status"])
