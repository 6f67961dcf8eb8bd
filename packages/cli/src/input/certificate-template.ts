/** A request to start from: what the rule asks for, with lines of comment that are ignored when it is read. */
export const CERTIFICATE_TEMPLATE = `{
  // The product, so that the certificate can be matched to it. model, sku, gtin and description are optional.
  "product_info": {
    "name": "Road Bicycle Helmet",
    "model": "RB-200",
    "sku": "RB-200-M",
    "description": "In-mould road helmet, size M, matte black",
    "date_of_manufacture": "2026-09-14",
    "place_of_manufacture": "Shenzhen, China"
  },
  // Who made it, and where.
  "manufacturer": {
    "name": "Shenzhen Velo Safety Co., Ltd.",
    "address": "88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China",
    "contact_email": "compliance@velosafety.example"
  },
  // Who tested it, and when last.
  "testing_lab": {
    "name": "Pacific Test Laboratories",
    "address": "1200 Harbor Way, Long Beach, CA 90802, USA",
    "test_date": "2026-08-30"
  },
  // Every rule that applies, 1 to 200.
  "cpsc_rules_cited": ["16 CFR 1203"],
  // Who certifies: for imports the importer of record. Without it the certificate stays a draft.
  "certifier": {
    "role": "importer",
    "name": "Cascade Cycle Imports LLC",
    "address": "410 Alder Street",
    "city": "Portland",
    "state_province": "Oregon",
    "country": "US",
    "phone": "+1 503 555 0142",
    "email": "certificates@cascadecycle.example"
  }
}`;
