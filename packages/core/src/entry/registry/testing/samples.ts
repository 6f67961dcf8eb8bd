import { parseCodeList } from '../codes.ts';
import { REGISTRY_COLUMNS } from '../columns.ts';
import type { RegistryRow } from '../import.ts';
import { readLine } from './read-line.ts';

/** A code list for the sample requests. The codes are made up. */
export const codes = parseCodeList({
  as_of: '2026-11-20',
  source: 'a list that we made up for this test',
  codes: {
    ...{ '16 CFR 1203': 'T1203', '16 CFR 1250': 'T1250', '16 CFR 1303': 'T1303', '16 CFR 1307': 'T1307' },
    ...{ '16 CFR 1501': 'T1501', '16 CFR 1513': 'T1513', '16 CFR 1615': 'T1615', '15 U.S.C. 1278a': 'T1278A' },
  },
});

/** Registry-specific values for the sample requests. */
export const efiling = {
  ...{ product_id: 'P-1', version_id: 'V-1', manufacturer_alternate_id: 'M-1', lot_assigned_by: 'manufacturer' },
  ...{ manufacturer_is_new: true, lab_is_new: false, records_contact_is_new: false },
} as const;

/** Returns the values in a line of a Registry CSV file, by column. */
export function readRow(line: string): RegistryRow {
  const values = readLine(line);
  return Object.fromEntries(REGISTRY_COLUMNS.map((column, at) => [column, values[at]]));
}
