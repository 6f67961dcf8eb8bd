import { productGid } from '../desk.ts';

/** Products of the sample shop: one whose certificate can be written in full, and one that asks for none. */
export const HELMET = productGid('8');
export const BOLT = productGid('1');

/** A certificate of the helmet that lacks nothing but a signature. */
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
