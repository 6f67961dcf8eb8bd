import { productGid } from '../certificate-context.ts';

/** Two products in the sample shop. The helmet requires a certificate, but the bolt doesn't. */
export const HELMET = productGid('8');
export const BOLT = productGid('1');

const OFFICE = { address: '410 Alder Street', city: 'Portland', state_province: 'OR', country: 'US' };

/** Certificate fields for the helmet, complete except for the attestation. */
export const FILLED = {
  product_info: {
    name: 'Bicycle helmet, adult',
    description: 'In-mold road helmet, size M',
    sku: 'SKU-8-1',
    date_of_manufacture: '2026-09-14',
    place_of_manufacture: 'Shenzhen, China',
  },
  manufacturer: {
    ...{ name: 'Velora Ltd.', address: '88 Keyuan Road', city: 'Shenzhen', state_province: 'Guangdong', country: 'CN' },
    ...{ contact_email: 'a@velora.example', phone: '+86 755 8321 1234' },
  },
  testing_lab: {
    ...{ name: 'Pacific Lab', address: '1200 Harbor Way', city: 'Long Beach', state_province: 'CA', country: 'US' },
    ...{ phone: '+1 562 555 0199', email: 'lab@pacific.example', test_date: '2026-09-20', report_ids: ['R-1'] },
  },
  cpsc_rules_cited: ['16 CFR 1203'],
  certifier: {
    role: 'importer',
    name: 'Cascade Imports LLC',
    ...OFFICE,
    phone: '+1 503 555 0142',
    email: 'c@cascade.example',
  },
  records_contact: { position: 'Compliance manager', ...OFFICE, phone: '+1 503 555 0143', email: 'r@cascade.example' },
};
