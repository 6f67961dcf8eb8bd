/**
 * Sample certificate request with everything that 16 CFR 1110.11(a) requires except the attestation, which only the certifier can
 * make. `compliance certify` ignores the comment lines.
 */
export const CERTIFICATE_TEMPLATE = `{
  // Replace the sample values with your own. The certificate is a draft until the certifier adds the attestation at the end.
  //
  // The product, with an identifier and enough detail to match it to the certificate. The date of manufacture can be a month,
  // such as 2026-09.
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
    "phone": "+86 755 5550 1234",
    "contact_email": "compliance@velosafety.example"
  },
  // The testing lab and the date of the most recent test. Both are optional if every rule is listed in "exclusions".
  "testing_lab": {
    "name": "Pacific Test Laboratories",
    "address": "1200 Harbor Way, Long Beach, CA 90802, USA",
    "phone": "+1 562 555 0199",
    "email": "reports@pacifictest.example",
    "test_date": "2026-08-30"
  },
  // All applicable rules (1 to 200).
  "cpsc_rules_cited": ["16 CFR 1203"],
  // The certifier. For imported products, the certifier is the importer of record. Without a certifier, the certificate is a
  // draft.
  "certifier": {
    "role": "importer",
    "name": "Cascade Cycle Imports LLC",
    "address": "410 Alder Street, Portland, OR 97205, USA",
    "phone": "+1 503 555 0142",
    "email": "certificates@cascadecycle.example"
  },
  // The person or the position that maintains the test records.
  "records_contact": {
    "position": "Compliance manager",
    "address": "410 Alder Street, Portland, OR 97205, USA",
    "phone": "+1 503 555 0143",
    "email": "records@cascadecycle.example"
  }
  // The attestation. Only the certifier can attest, after the last test. To attest, remove the slashes and enter your name.
  // , "attestation": { "attested_by": "NAME", "title": "TITLE", "attested_at": "YYYY-MM-DD", "text_version": "16cfr1110.11-2026-07-08" }
}`;
