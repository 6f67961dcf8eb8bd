/**
 * Sample certificate request with all required fields and some optional fields. `compliance certify` ignores the comment lines.
 */
export const CERTIFICATE_TEMPLATE = `{
  // The product, described in enough detail to match it to the certificate. Model, SKU, GTIN, and description are
  // optional.
  "product_info": {
    "name": "Road Bicycle Helmet",
    "model": "RB-200",
    "sku": "RB-200-M",
    "description": "In-mold road helmet, size M, matte black",
    "date_of_manufacture": "2026-09-14",
    "place_of_manufacture": "Shenzhen, China"
  },
  // The manufacturer and its address.
  "manufacturer": {
    "name": "Shenzhen Velo Safety Co., Ltd.",
    "address": "88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China",
    "contact_email": "compliance@velosafety.example"
  },
  // The testing lab and the date of the most recent test.
  "testing_lab": {
    "name": "Pacific Test Laboratories",
    "address": "1200 Harbor Way, Long Beach, CA 90802, USA",
    "test_date": "2026-08-30"
  },
  // All applicable rules (1 to 200).
  "cpsc_rules_cited": ["16 CFR 1203"],
  // The certifier. For imported products, the certifier is the importer of record. Without a certifier, the certificate is a
  // draft.
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
