import { productGid } from '../certificate-context.ts';

/** Two products in the sample shop. The helmet can have a complete certificate, and the bolt doesn't need one. */
export const HELMET = productGid('8');
export const BOLT = productGid('1');

/** Certificate fields for the helmet, complete except for the attestation. */
export const FILLED = {
  product_info: {
    name: 'Bicycle helmet, adult',
    sku: 'SKU-8-1',
    date_of_manufacture: '2026-09-14',
    place_of_manufacture: 'Shenzhen, China',
  },
  manufacturer: { name: 'Velora Ltd.', address: '88 Keyuan Road, Shenzhen', contact_email: 'a@velora.example' },
  testing_lab: { name: 'Pacific Lab', test_date: '2026-09-20', address: '1 Quay', report_ids: ['R-1'] },
  cpsc_rules_cited: ['16 CFR 1203'],
  certifier: { role: 'importer', name: 'Cascade Imports LLC', country: 'US' },
  records_contact: { position: 'Compliance manager' },
};
