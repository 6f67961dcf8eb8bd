import { parseLabList } from '@compliance/core/entry';
import { productGid } from '../certificate-context.ts';
import { FILLED } from './helmet.ts';

/** Children's product in the sample shop. */
export const PUZZLE = productGid('40');

const RULES = ['16 CFR 1250', '16 CFR 1501', '15 U.S.C. 1278a', '16 CFR 1307'];

/** Certificate fields for the puzzle, complete except for the attestation. */
export const FILLED_PUZZLE = {
  ...FILLED,
  certificate_type: 'CPC',
  product_info: {
    ...FILLED.product_info,
    ...{ name: 'Kids wooden puzzle', sku: 'SKU-40-1', lot_number: 'L2026-37' },
    description: 'Beech puzzle with 20 pieces',
  },
  age_grading: { ages: { from_months: 24, to_months: 71 } },
  childrens_product: { types: ['toy'], surface_coating: false },
  toy_standard: { edition: 'ASTM F963-23', sections: ['4.6', '4.7'] },
  testing_lab: { ...FILLED.testing_lab, cpsc_lab_id: '1234' },
  cpsc_rules_cited: RULES,
  tests: RULES.map(rule => ({ rule, lab_index: 0, test_date: FILLED.testing_lab.test_date })),
};

/** Laboratory list that shows the puzzle's laboratory as CPSC-accepted for all of the puzzle's rules. */
export const LABS = parseLabList({
  ...{ as_of: '2026-11-20', source: 'cpsc.gov laboratory search' },
  labs: [{ cpsc_lab_id: '1234', rules: RULES }],
});
