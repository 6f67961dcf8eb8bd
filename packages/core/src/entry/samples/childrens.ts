import { parseLabList } from '../childrens/lab-list.ts';
import type { ChildrensCertificateRequest } from '../request/schema.ts';
import { completeRequest } from './requests.ts';

const { certifier, records_contact, manufacturer, attestation } = completeRequest;

const lab = {
  name: 'Harbor Toy Laboratories',
  address: '1200 Harbor Way, Long Beach, CA 90802, USA',
  phone: '+1 562 555 0199',
  email: 'reports@harbortoy.example',
  type: 'third_party',
  cpsc_lab_id: '1234',
  test_date: '2026-08-30',
} as const;

const shared = {
  certificate_type: 'CPC',
  manufacturer: { ...manufacturer, name: 'Shenzhen Little Oak Co., Ltd.', contact_email: 'qa@littleoak.example' },
  testing_lab: lab,
  certifier: { ...certifier, name: 'Cascade Kids Imports LLC', email: 'certificates@cascadekids.example' },
  records_contact: { ...records_contact, email: 'records@cascadekids.example' },
  attestation,
} as const;

const product = { date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China', lot_number: 'L2026-37' };
const tested = (...rules: readonly string[]) =>
  rules.map(rule => ({ rule, test_date: '2026-08-30', report_id: `HTL-26-${rule.replace(/\D/g, '').slice(-4)}` }));
const ages = (from_months: number, to_months: number) => ({
  ...{ ages: { from_months, to_months }, marketing: 'children' as const },
});

/** Request for a painted wooden toy for children ages 2 to 5. */
export const toyRequest = {
  ...shared,
  product_info: {
    ...product,
    ...{
      name: 'Painted wooden train set',
      model: 'TR-12',
      description: 'Beech train with four wagons, painted red and blue',
    },
  },
  age_grading: ages(24, 71),
  childrens_product: { types: ['toy'], surface_coating: true },
  toy_standard: { edition: 'ASTM F963-23', sections: ['4.3.5', '4.6', '4.7', '4.9'] },
  cpsc_rules_cited: ['16 CFR 1250', '16 CFR 1303', '16 CFR 1501', '15 U.S.C. 1278a', '16 CFR 1307'],
  tests: tested('16 CFR 1250', '16 CFR 1303', '16 CFR 1501', '15 U.S.C. 1278a', '16 CFR 1307'),
} satisfies ChildrensCertificateRequest;

/** Request for children's pajamas in sizes 2 to 6X. */
export const pajamaRequest = {
  ...shared,
  product_info: {
    ...product,
    ...{
      name: 'Children’s flannel pajama',
      sku: 'PJ-4',
      description: 'Two-piece polyester flannel pajama, blue stars, sizes 2 to 6X',
    },
  },
  age_grading: ages(24, 83),
  childrens_product: { types: ['sleepwear'], surface_coating: false, sleepwear_sizes: ['0-6X'] },
  cpsc_rules_cited: ['16 CFR 1615', '15 U.S.C. 1278a', '16 CFR 1307'],
  tests: tested('16 CFR 1615', '15 U.S.C. 1278a', '16 CFR 1307'),
} satisfies ChildrensCertificateRequest;

/** Request for a lacquered bunk bed for children. */
export const bunkBedRequest = {
  ...shared,
  product_info: {
    ...product,
    ...{
      name: 'Children’s bunk bed “Fir”',
      model: 'BB-200',
      description: 'Twin-over-twin bunk bed of pine, white lacquer, with ladder',
    },
  },
  age_grading: ages(72, 143),
  childrens_product: { types: ['bunk_bed'], surface_coating: true },
  cpsc_rules_cited: ['16 CFR 1513', '16 CFR 1303', '15 U.S.C. 1278a'],
  tests: tested('16 CFR 1513', '16 CFR 1303', '15 U.S.C. 1278a'),
} satisfies ChildrensCertificateRequest;

/** Laboratory list in which the samples' laboratory is accepted for all of the samples' rules. */
export const sampleLabs = parseLabList({
  as_of: '2026-11-20',
  source: 'cpsc.gov laboratory search',
  labs: [
    {
      cpsc_lab_id: '1234',
      rules: [...new Set([toyRequest, pajamaRequest, bunkBedRequest].flatMap(each => each.cpsc_rules_cited))],
    },
  ],
});
