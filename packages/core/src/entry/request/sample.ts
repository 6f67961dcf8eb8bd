import type { CertificateRequest } from './schema.ts';

/**
 * Sample request for a General Certificate of Conformity, with only the fields that the API requires. The certificate
 * is incomplete, because it has no certifier, records contact, or attestation.
 *
 * @example certificate(SAMPLE_REQUEST, context).completeness.status // 'incomplete'
 */
export const SAMPLE_REQUEST = {
  product_info: {
    name: 'Road Bicycle Helmet',
    model: 'RB-200',
    sku: 'RB-200-M',
    date_of_manufacture: '2026-09-14',
    place_of_manufacture: 'Shenzhen, China',
  },
  manufacturer: {
    name: 'Shenzhen Velo Safety Co., Ltd.',
    address: '88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China',
    contact_email: 'compliance@velosafety.example',
  },
  testing_lab: { name: 'Pacific Test Laboratories', accreditation_id: 'ISO 17025 / 1234', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
} satisfies CertificateRequest;
