import { SAMPLE_REQUEST } from '../request/sample.ts';
import type { CertificateRequest } from '../request/schema.ts';

/** Request for a complete certificate. */
export const completeRequest = {
  ...SAMPLE_REQUEST,
  product_info: {
    ...SAMPLE_REQUEST.product_info,
    description: 'In-mould road helmet with 18 vents, size M (55–59 cm), matte black, retention system RS-2',
    brand: 'Velo Safety',
    gtin: '00812345678901',
    lot_number: 'L2026-37',
    production_start: '2026-09-14',
    production_end: '2026-09-18',
  },
  manufacturer: {
    ...SAMPLE_REQUEST.manufacturer,
    phone: '+86 755 5550 1234',
    city: 'Shenzhen',
    state_province: 'Guangdong',
    postal_code: '518057',
    country: 'CN',
  },
  testing_lab: {
    ...SAMPLE_REQUEST.testing_lab,
    address: '1200 Harbor Way, Long Beach, CA 90802, USA',
    phone: '+1 562 555 0199',
    email: 'reports@pacifictest.example',
    type: 'third_party',
    report_ids: ['PTL-26-08817'],
  },
  certifier: {
    role: 'importer',
    name: 'Cascade Cycle Imports LLC',
    address: '410 Alder Street',
    city: 'Portland',
    state_province: 'Oregon',
    postal_code: '97205',
    country: 'US',
    phone: '+1 503 555 0142',
    email: 'certificates@cascadecycle.example',
    importer_of_record_number: '98-7654321',
  },
  records_contact: {
    position: 'Compliance manager',
    address: '410 Alder Street',
    city: 'Portland',
    state_province: 'Oregon',
    postal_code: '97205',
    country: 'US',
    phone: '+1 503 555 0143',
    email: 'records@cascadecycle.example',
  },
  tests: [
    {
      rule: '16 CFR 1203',
      standard: '16 CFR 1203.11 to 1203.17',
      report_id: 'PTL-26-08817',
      test_date: '2026-08-30',
      report_url: 'https://reports.pacifictest.example/26-08817',
    },
  ],
  attestation: {
    attested_by: 'Dana Whitfield',
    title: 'Director of Compliance',
    attested_at: '2026-11-20T17:30:00Z',
    text_version: '16cfr1110.11-2026-07-08',
  },
} satisfies CertificateRequest;

/** Context for all samples. */
export const sampleContext = {
  id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60',
  issuedAt: '2026-11-21T09:30:00Z',
  today: '2026-11-21',
  verificationUrl: 'https://compliance.example/gcc/3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60',
};

/** Files to attach: a laboratory's report with placeholder content, and a photo with a Chinese filename. */
export const sampleAttachments = [
  { filename: 'PTL-26-08817.pdf', bytes: new TextEncoder().encode('%PDF-1.7\n% test report\n%%EOF\n') },
  { filename: '样品照片 (1).png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
];

/**
 * A logo that measures 48 × 16 pixels: a red square, a half-transparent blue square, and a green triangle on a
 * transparent background, as an RGBA PNG.
 */
const sampleLogo =
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAQCAYAAABQrvyxAAAAd0lEQVR42mM8Iafxn4ECECa3oJES/d8CSurflBxhJFc/E8MgACI9Nv+HtAco8cSg8QC5nhhUHiDHE4POA6R6YlB6gBRPDFoPEOuJQe0BYjwx6D1AyBNDwgP4PDFkPIDLE0PKA9g8MeQ8gO6JIekBZE8MWQ/APAEAyywj9XBbmKwAAAAASUVORK5CYII=';

/** The complete sample request with a logo, a certificate number, and a signature block. */
export const brandedRequest = {
  ...completeRequest,
  certificate_number: 'CCI-2026-0417',
  logo: { image: sampleLogo, alt_text: 'Cascade Cycle Imports' },
  signature_block: {},
} satisfies CertificateRequest;
