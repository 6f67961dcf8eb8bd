import type { CertificateRecord } from '../record/certificate.ts';
import { draftWarning } from '../record/status.ts';
import { variantRecords } from '../record/variant-records.ts';
import { needsTest } from '../request/rules.ts';
import { type CodeList, codeOf } from './codes.ts';
import type { RegistryColumn } from './columns.ts';
import { type RegistryRow, requestOfRow } from './import.ts';
import { lostFields } from './lost-fields.ts';
import { primaryId, registryLine, valuesOf } from './row.ts';

/**
 * A reason why a certificate can't be exported, such as a missing value that the Registry requires. `path` is the
 * request field or, if the field isn't known, the column. For a code that the list of citation codes lacks, it's `codes`.
 */
export interface RegistryGap {
  column: RegistryColumn | null;
  path: string;
  message: string;
}

/**
 * A certificate's rows for CPSC's Product Registry: one for each variant, or a single row for a certificate without variants.
 * `rows` is null if there are gaps. `notes` lists everything that we couldn't confirm, and everything in the certificate that
 * the rows don't contain.
 */
export interface RegistryExport {
  rows: readonly string[] | null;
  gaps: readonly RegistryGap[];
  notes: readonly string[];
}

/** Columns that a public client of the Registry requires, each with the request field that provides the value. */
export const REQUIRED_COLUMNS: readonly (readonly [column: RegistryColumn, path: string])[] = [
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
  ['Lab 1 Citation Codes', 'codes'],
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
 * Returns a certificate's rows for CPSC's Product Registry CSV import, or the gaps that prevent them. Citation codes come only
 * from `codes`: without a list, there are no rows.
 *
 * @param codes your list of eFiling citation codes, or null
 * @example registryExport(record, null).gaps[0]?.path // 'efiling.version_id'
 */
export function registryExport(record: CertificateRecord, codes: CodeList | null): RegistryExport {
  const labCodes = codesByLab(record, codes);
  const products = variantRecords(record).map(each => ({ ...each, values: valuesOf(each.record, labCodes.byLab) }));
  const gaps = products.flatMap(({ path, values }) => columnGaps(path, values));
  for (const citation of labCodes.missing)
    gaps.push({
      column: 'Lab 1 Citation Codes',
      path: 'codes',
      message: `The code list has no code for ${citation}`,
    });
  for (const code of labCodes.unlisted)
    gaps.push({
      column: 'Lab 1 Citation Codes',
      path: 'efiling.citation_codes',
      message: `The code list has no code ${code}`,
    });
  gaps.push(...recordGaps(record));
  const ids = products.map(product => primaryId(product.record)[0]);
  const repeated = ids.find((id, at) => id !== undefined && ids.indexOf(id) !== at);
  if (repeated !== undefined)
    gaps.push({
      column: 'Primary Product ID',
      path: record.request.efiling?.product_id === undefined ? 'product_info.variants' : 'efiling.product_id',
      message: `Each variant needs its own product ID, but several have ${repeated}`,
    });
  return {
    rows: gaps.length === 0 ? products.map(({ values }) => registryLine(values)) : null,
    gaps: gaps.filter(
      (gap, at) => gaps.findIndex(each => each.path === gap.path && each.message === gap.message) === at,
    ),
    notes: [...notesOn(record, codes), ...(codes ? lostFieldsNotes(products, codes) : [])],
  };
}

type Values = ReturnType<typeof valuesOf>;

/** Returns the gaps for required values that a row lacks and for values that are too long. */
function columnGaps(product: string, values: Values): RegistryGap[] {
  const gaps: RegistryGap[] = REQUIRED_COLUMNS.flatMap(([column, path]) =>
    values[column] ? [] : [{ column, path, message: MISSING[column] ?? `${column} is required` }],
  );
  for (const [column, value] of Object.entries(values) as [RegistryColumn, string | undefined][]) {
    const [, limit] = WIDTHS.find(([name]) => name.test(column)) ?? [];
    if (value && limit !== undefined && [...value].length > limit)
      gaps.push({ column, path: pathOf(column, product), message: `${column} can have at most ${limit} characters` });
  }
  for (const lab of ['Lab 1', 'Lab 2'] as const) {
    const path = lab === 'Lab 1' ? 'testing_lab' : 'other_labs.0';
    if (values[`${lab} Type`] === 'LAB' && !values[`${lab} Alternate ID`])
      gaps.push({
        column: `${lab} Alternate ID`,
        path: `${path}.accreditation_id`,
        message: `${lab} needs an alternate ID or a CPSC lab ID`,
      });
  }
  if (values['Lot Number'] && !values['Lot Number Assigned By'])
    gaps.push({
      column: 'Lot Number Assigned By',
      path: 'efiling.lot_assigned_by',
      message: 'Lot Number Assigned By is required with a lot number',
    });
  return gaps;
}

/** Messages for required columns whose value doesn't come from a single field. */
const MISSING: Readonly<Partial<Record<RegistryColumn, string>>> = {
  'Lab 1 Citation Codes': 'A list of citation codes with the code of each tested rule is required',
};

/** Returns the request field for a column whose value is too long, or the column's name if the field isn't known. */
function pathOf(column: RegistryColumn, product: string): string {
  if (column === 'Product Name (Model)') return `${product}.name`;
  return REQUIRED_COLUMNS.find(([name]) => name === column)?.[1] ?? column;
}

/** Returns the facts that no row can contain but whose omission would make a row misleading. */
function recordGaps({ request, rules }: CertificateRecord): RegistryGap[] {
  const gaps: RegistryGap[] = [];
  if ((request.other_labs?.length ?? 0) > 1)
    gaps.push({
      column: null,
      path: 'other_labs.1',
      message: 'The known CSV format has columns for only two laboratories',
    });
  if (rules.some(rule => rule.exclusion && !needsTest(rule)))
    gaps.push({
      column: null,
      path: 'exclusions',
      message: 'The known CSV format has no column for testing exclusions',
    });
  return gaps;
}

/**
 * Returns the citation codes for each laboratory, the cited rules without a code, and the codes in the request that aren't in
 * the list.
 */
function codesByLab(
  { request, rules }: CertificateRecord,
  codes: CodeList | null,
): { byLab: readonly (readonly string[])[]; missing: readonly string[]; unlisted: readonly string[] } {
  if (codes === null) return { byLab: [], missing: [], unlisted: [] };
  const byLab: string[][] = [[], []];
  const missing: string[] = [];
  for (const rule of rules.filter(needsTest)) {
    const code = codeOf(rule.citation, codes);
    if (code === null) missing.push(rule.citation);
    const labs = rule.tests.length === 0 ? [0] : [...new Set(rule.tests.map(({ lab }) => lab))];
    for (const lab of labs) if (code !== null) byLab[lab]?.push(code);
  }
  const listed = new Set(Object.values(codes.codes));
  const unlisted = (request.efiling?.citation_codes ?? []).filter(code => !listed.has(code));
  return { byLab: byLab.map(each => [...new Set(each)]), missing, unlisted };
}

function notesOn(record: CertificateRecord, codes: CodeList | null): string[] {
  return [
    ...draftWarning(record),
    'The 83 columns, the required columns, and the maximum column lengths are taken from other software. We couldn’t read CPSC’s own template.',
    ...(codes
      ? [
          `Citation codes: from your list dated ${codes.as_of} (${codes.source}). We didn’t compare them with CPSC’s list.`,
        ]
      : []),
    ...(record.request.certificate_type === 'CPC'
      ? ['The known CSV format has no columns for ages, ASTM F963 sections, or tracking labels.']
      : []),
  ];
}

/** Returns a note that names the fields that importing the rows wouldn't restore. */
function lostFieldsNotes(
  products: readonly { readonly record: CertificateRecord; readonly values: Values }[],
  codes: CodeList,
): string[] {
  const lost = new Set(
    products.flatMap(({ record, values }) => lostFields(record.request, requestOfRow(values as RegistryRow, codes))),
  );
  return lost.size === 0 ? [] : [`Not in the row, or only in part: ${[...lost].join(', ')}.`];
}
