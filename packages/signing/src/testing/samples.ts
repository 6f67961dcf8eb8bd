/** ID, issue time, date, and verification URL that the sample certificates share. */
export const sampleContext = {
  id: '3f8e6a52-1c7b-4f7e-9a54-0d1b2c3e4f5a',
  issuedAt: '2026-11-21T09:00:00Z',
  today: '2026-11-21',
  verificationUrl: 'https://compliance.example/gcc/3f8e6a52-1c7b-4f7e-9a54-0d1b2c3e4f5a',
};

const shared = {
  manufacturer: { name: 'Velo', address: '88 Keyuan Road, Shenzhen, China', contact_email: 'a@velo.example' },
  testing_lab: { name: 'Lab', test_date: '2026-09-10' },
};
const made = { date_of_manufacture: '2026-09-01', place_of_manufacture: 'Shenzhen, China' };

/** A report to attach to the `attached` and `combined` samples. */
export const sampleReport = { filename: 'report.pdf', bytes: new TextEncoder().encode('%PDF-1.7\n%%EOF\n') };

const gcc = { ...shared, product_info: { name: 'Helmet', ...made }, cpsc_rules_cited: ['16 CFR 1203'] };

const cpc = {
  ...shared,
  certificate_type: 'CPC',
  product_info: { name: 'Wooden train 木製の列車', ...made },
  age_grading: { ages: { from_months: 24, to_months: 71 }, marketing: 'children' },
  cpsc_rules_cited: ['16 CFR 1250', '15 U.S.C. 1278a'],
};

/**
 * Certificate requests. `bilingual` and `combined` have a second language, and the certificates for `attached` and
 * `combined` have an attached report.
 */
export const sampleRequests = {
  gcc,
  bilingual: { ...gcc, language: 'vi' },
  attached: gcc,
  cpc,
  combined: { ...cpc, language: 'ja' },
};
