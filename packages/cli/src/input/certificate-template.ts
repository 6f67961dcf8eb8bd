/** The final fields of both samples, from the certifier to the attestation. */
const PARTIES = `// The certifier. For imported products, the certifier is the importer of record. Without a certifier, the certificate is a
  // draft.
  "certifier": {
    "role": "importer",
    "name": "Cascade Cycle Imports LLC",
    "address": "410 Alder Street, Portland, OR 97205, USA",
    "phone": "+1 503 555 0142",
    "email": "certificates@cascadecycle.example"
  },
  // The person or position that maintains the test records.
  "records_contact": {
    "position": "Compliance manager",
    "address": "410 Alder Street, Portland, OR 97205, USA",
    "phone": "+1 503 555 0143",
    "email": "records@cascadecycle.example"
  }
  // The attestation. Only the certifier can attest, after the last test. To attest, remove the slashes and enter your name.
  // , "attestation": { "attested_by": "NAME", "title": "TITLE", "attested_at": "YYYY-MM-DD", "text_version": "16cfr1110.11-2026-07-08" }
}`;

/**
 * Sample certificate request with everything that 16 CFR 1110.11(a) requires except the attestation, which only the certifier can
 * make. `compliance certify` ignores the comment lines.
 */
const GENERAL = `{
  // Replace the sample values with your own. The certificate is a draft until the certifier adds the attestation at the end.
  //
  // The product, with an identifier and enough detail to match the product to the certificate. The date of manufacture
  // can be a month, such as 2026-09.
  "product_info": {
    "name": "Road Bicycle Helmet",
    "model": "RB-200",
    "sku": "RB-200-M",
    "description": "In-mold road helmet, size M, matte black",
    "date_of_manufacture": "2026-09-14",
    "place_of_manufacture": "Shenzhen, China"
    // To certify a product family, remove the slashes and list its variants (1 to 200), each with a model, SKU, GTIN, or UPC.
    // , "variants": [{ "name": "Size S", "sku": "RB-200-S" }, { "name": "Size M", "sku": "RB-200-M" }]
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
  ${PARTIES}`;

/**
 * Sample request for a Children's Product Certificate with all required content except the attestation. `compliance certify`
 * ignores the comment lines.
 */
const CHILDRENS = `{
  // Replace the sample values with your own. The certificate is a draft until the certifier adds the attestation at the end.
  //
  "certificate_type": "CPC",
  // The product, with an identifier and enough detail to match the product to the certificate. The lot number is also
  // the batch number on the tracking label.
  "product_info": {
    "name": "Painted wooden train set",
    "model": "TR-12",
    "description": "Beech train with four wagons, painted red and blue",
    "date_of_manufacture": "2026-09-14",
    "place_of_manufacture": "Shenzhen, China",
    "lot_number": "L2026-37"
    // To certify a product family, remove the slashes and list its variants (1 to 200), each with a model, SKU, GTIN, or UPC.
    // , "variants": [{ "name": "Red", "sku": "TR-12-R" }, { "name": "Blue", "sku": "TR-12-B" }]
  },
  // Evidence that this is a children's product: the intended age range in months, and whether it's marketed for children.
  "age_grading": { "ages": { "from_months": 36, "to_months": 83 }, "marketing": "children" },
  // Facts that determine which rules the certificate should cite.
  "childrens_product": { "types": ["toy"], "surface_coating": true },
  // The sections of ASTM F963 that apply to the toy.
  "toy_standard": { "edition": "ASTM F963-23", "sections": ["4.3.5", "4.6"] },
  // The manufacturer and its address.
  "manufacturer": {
    "name": "Shenzhen Little Oak Co., Ltd.",
    "address": "88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China",
    "phone": "+86 755 5550 1234",
    "contact_email": "qa@littleoak.example"
  },
  // The CPSC-accepted laboratory, with its four-digit CPSC lab ID.
  "testing_lab": {
    "name": "Harbor Toy Laboratories",
    "address": "1200 Harbor Way, Long Beach, CA 90802, USA",
    "phone": "+1 562 555 0199",
    "email": "reports@harbortoy.example",
    "cpsc_lab_id": "1234",
    "test_date": "2026-08-30"
  },
  // All applicable rules (1 to 200), each with its test.
  "cpsc_rules_cited": ["16 CFR 1250", "16 CFR 1303", "15 U.S.C. 1278a", "16 CFR 1307"],
  "tests": [
    { "rule": "16 CFR 1250", "test_date": "2026-08-30", "report_id": "HTL-26-1250" },
    { "rule": "16 CFR 1303", "test_date": "2026-08-30", "report_id": "HTL-26-1303" },
    { "rule": "15 U.S.C. 1278a", "test_date": "2026-08-30", "report_id": "HTL-26-1278" },
    { "rule": "16 CFR 1307", "test_date": "2026-08-30", "report_id": "HTL-26-1307" }
  ],
  ${PARTIES}`;

/** Sample certificate requests by kind. */
export const CERTIFICATE_TEMPLATES = { gcc: GENERAL, cpc: CHILDRENS } as const;
