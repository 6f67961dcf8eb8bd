import type { CertificateRecord } from '../record/certificate.ts';
import { needsTest } from '../request/rules.ts';
import { type CodeList, codeOf } from './codes.ts';
import type { RegistryColumn } from './columns.ts';
import { registryLine, valuesOf } from './row.ts';

/** A value that the Registry needs but that's missing from the certificate. `path` is the request field that would provide it. */
export interface RegistryGap {
  column: RegistryColumn | null;
  path: string;
  message: string;
}

/**
 * A certificate's row for CPSC's Product Registry. `row` is null if there are gaps. `notes` lists everything that we couldn't
 * confirm, and everything in the certificate that the row can't contain.
 */
export interface RegistryExport {
  row: string | null;
  gaps: readonly RegistryGap[];
  notes: readonly string[];
}

/** Columns that a public client of the Registry requires, each with the request field that provides the value. */
const REQUIRED: readonly (readonly [column: RegistryColumn, path: string])[] = [
  ['New Version ID', 'efiling.version_id'],
  ['Primary Product ID', 'efiling.product_id'],
  ['Product Name (Model)', 'product_info.name'],
  ['Manufacturer Is New?', 'efiling.manufacturer_is_new'],
  ['Manufacturer Alternate ID', 'efiling.manufacturer_alternate_id'],
  ['Manufacturer Name', 'manufacturer.name'],
  ['Manufacturer Address Line 1', 'manufacturer.street'],
  ['Manufacturer City', 'manufacturer.city'],
  ['Manufacturer Country', 'manufacturer.country'],
  ['Manufacturer Zip/Postal Code', 'manufacturer.postal_code'],
  ['Manufacturer Phone', 'manufacturer.phone'],
  ['Manufacturer Email', 'manufacturer.contact_email'],
  ['Manufacture Date', 'product_info.date_of_manufacture'],
  ['Last Test Date', 'testing_lab.test_date'],
  ['Lab 1 Type', 'testing_lab'],
  ['Lab 1 Is New?', 'efiling.lab_is_new'],
  ['Lab 1 Citation Codes', 'efiling.citation_codes'],
  ['Point of Contact (POC) for Test Result Records', 'records_contact'],
  ['POC Is New?', 'efiling.records_contact_is_new'],
];

/** Maximum lengths in a public client's database, by column name suffix. */
const WIDTHS: readonly (readonly [name: RegExp, limit: number])[] = [
  [/Version ID$|^Primary Product ID$/, 19],
  [/^Product Name|Description$/, 250],
  [/Trade\/Brand Name|Color$|Style$|City$|Country$|Email$/, 50],
  [/(Manufacturer|Lab 1|POC) Name$|Address Line [12]$/, 100],
  [/Lot Number$|Phone$/, 20],
  [/Zip\/Postal Code$/, 10],
];

/**
 * Returns a certificate's row for CPSC's Product Registry CSV import, or the gaps that prevent it. Citation codes come only
 * from `codes` and from the request.
 *
 * @param codes your list of eFiling citation codes, or null
 * @example registryExport(record, null).gaps[0]?.path // 'efiling.version_id'
 */
export function registryExport(record: CertificateRecord, codes: CodeList | null): RegistryExport {
  const { request, rules } = record;
  const labCodes = codesByLab(record, codes);
  const values = valuesOf(record, labCodes.byLab);
  const gaps: RegistryGap[] = REQUIRED.flatMap(([column, path]) =>
    values[column] ? [] : [{ column, path, message: `${column} is required` }],
  );
  const lack = (column: RegistryColumn | null, path: string, message: string) => gaps.push({ column, path, message });
  for (const [column, value] of Object.entries(values) as [RegistryColumn, string | undefined][]) {
    const [, limit] = WIDTHS.find(([name]) => name.test(column)) ?? [];
    if (value && limit !== undefined && [...value].length > limit)
      lack(column, pathOf(column), `${column} can have at most ${limit} characters`);
  }
  for (const citation of labCodes.missing)
    lack('Lab 1 Citation Codes', 'efiling.citation_codes', `The code list has no code for ${citation}`);
  for (const prefix of ['Lab 1', 'Lab 2'] as const) {
    const path = prefix === 'Lab 1' ? 'testing_lab' : 'other_labs.0';
    if (values[`${prefix} Type`] === 'LAB' && !values[`${prefix} Alternate ID`])
      lack(`${prefix} Alternate ID`, `${path}.accreditation_id`, `${prefix} needs an alternate ID or a CPSC lab ID`);
  }
  if ((request.other_labs?.length ?? 0) > 1)
    lack(null, 'other_labs.1', 'The known CSV format has columns for only two laboratories');
  if (rules.some(rule => rule.exclusion && !needsTest(rule)))
    lack(null, 'exclusions', 'The known CSV format has no column for testing exclusions');
  if (values['Lot Number'] && !values['Lot Number Assigned By'])
    lack('Lot Number Assigned By', 'efiling.lot_assigned_by', 'Lot Number Assigned By is required with a lot number');
  return { row: gaps.length === 0 ? registryLine(values) : null, gaps, notes: notesOn(record, codes) };
}

/** Returns the request field for a column whose value is too long. */
const pathOf = (column: RegistryColumn) => REQUIRED.find(([name]) => name === column)?.[1] ?? column;

/** Returns the citation codes for each laboratory, and the cited rules without a code. */
function codesByLab(
  { request, rules }: CertificateRecord,
  codes: CodeList | null,
): { byLab: readonly (readonly string[])[]; missing: string[] } {
  if (codes === null) return { byLab: [request.efiling?.citation_codes ?? []], missing: [] };
  const byLab: string[][] = [[], []];
  const missing: string[] = [];
  for (const rule of rules.filter(needsTest)) {
    const code = codeOf(rule.citation, codes);
    if (code === null) missing.push(rule.citation);
    const labs = rule.tests.length === 0 ? [0] : [...new Set(rule.tests.map(({ lab }) => lab))];
    for (const lab of labs) if (code !== null) byLab[lab]?.push(code);
  }
  return { byLab: byLab.map(each => [...new Set(each)]), missing };
}

function notesOn({ request, rules }: CertificateRecord, codes: CodeList | null): string[] {
  const reports = new Set(rules.flatMap(({ tests }) => tests.map(({ report_id }) => report_id).filter(Boolean)));
  return [
    'The 83 columns, the required columns, and the maximum column lengths are taken from other software. We couldn’t read CPSC’s own template.',
    codes
      ? `Citation codes: from your list dated ${codes.as_of} (${codes.source}). We didn’t compare them with CPSC’s list.`
      : 'Citation codes: from the request. We didn’t compare them with CPSC’s list.',
    ...(reports.size > 1
      ? ['Each laboratory has a column for one test report. The other reports aren’t in the row.']
      : []),
    ...(request.certificate_type === 'CPC'
      ? ['The known CSV format has no columns for ages, ASTM F963 sections, or tracking labels.']
      : []),
  ];
}
