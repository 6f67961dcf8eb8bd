import { type EfilingMessage, efilingMessage, messageText } from '../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import { draftMessages } from '../record/status.ts';
import { variantRecords } from '../record/variant-records.ts';
import { needsTest } from '../request/rules.ts';
import { type CodeList, codeOf } from './codes.ts';
import type { RegistryColumn } from './columns.ts';
import { type RegistryRow, requestOfRow } from './import.ts';
import { lostFields } from './lost-fields.ts';
import { primaryId, registryLine, valuesOf } from './row.ts';

/**
 * A reason why a certificate can't be exported, such as a missing value that the Registry requires. `path` is the
 * request field or, if the field isn't known, the column. If a code is missing from the code list, `path` is `codes`.
 */
export interface RegistryGap {
  column: RegistryColumn | null;
  path: string;
  message: string;
}

/**
 * A certificate's rows for CPSC's Product Registry: one for each variant, or a single row for a certificate without
 * variants. `rows` is null if there are gaps. `notes` lists everything that we couldn't confirm and everything in the
 * certificate that isn't in the rows.
 */
export interface RegistryExport {
  rows: readonly string[] | null;
  gaps: readonly RegistryGap[];
  notes: readonly string[];
}

/** A gap with a message ID and parameters instead of message text. */
interface RowGap extends Omit<RegistryGap, 'message'>, EfilingMessage {}

/** A certificate's rows, with message IDs and parameters instead of message text. */
interface RegistryRows extends Pick<RegistryExport, 'rows'> {
  readonly gaps: readonly RowGap[];
  readonly notes: readonly EfilingMessage[];
}

/** Columns that a publicly available Registry client requires, each with the request field that provides the value. */
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

/** Maximum lengths in the same Registry client's database, by column name pattern. */
const WIDTHS: readonly (readonly [name: RegExp, limit: number])[] = [
  [/Version ID$|^Primary Product ID$/, 19],
  [/^Product Name|Description$/, 250],
  [/Trade\/Brand Name|Color$|Style$|City$|Country$|Email$/, 50],
  [/(Manufacturer|Lab 1|POC) Name$|Address Line [12]$/, 100],
  [/Lot Number$|Phone$/, 20],
  [/Zip\/Postal Code$/, 10],
];

/**
 * Returns a certificate's rows for CPSC's Product Registry CSV import, or the gaps that prevent the export. Citation
 * codes come only from `codes`, so `rows` is null if `codes` is null.
 *
 * @param codes your list of eFiling citation codes, or null
 * @example registryExport(record, null).gaps[0]?.path // 'efiling.version_id'
 */
export function registryExport(record: CertificateRecord, codes: CodeList | null): RegistryExport {
  const { rows, gaps, notes } = registryRows(record, codes);
  return {
    rows,
    gaps: gaps.map(gap => ({ column: gap.column, path: gap.path, message: messageText(gap) })),
    notes: notes.map(note => messageText(note)),
  };
}

/** Returns the same data as {@link registryExport}, with message IDs and parameters instead of message text. */
export function registryRows(record: CertificateRecord, codes: CodeList | null): RegistryRows {
  const labCodes = codesByLab(record, codes);
  const products = variantRecords(record).map(each => ({ ...each, values: valuesOf(each.record, labCodes.byLab) }));
  const gaps = products.flatMap(({ path, values }) => columnGaps(path, values));
  for (const citation of labCodes.missing)
    gaps.push({
      column: 'Lab 1 Citation Codes',
      path: 'codes',
      ...efilingMessage('code_missing', { citation }),
    });
  for (const code of labCodes.unlisted)
    gaps.push({
      column: 'Lab 1 Citation Codes',
      path: 'efiling.citation_codes',
      ...efilingMessage('code_unlisted', { code }),
    });
  gaps.push(...recordGaps(record));
  const ids = products.map(product => primaryId(product.record)[0]);
  const repeated = ids.find((id, at) => id !== undefined && ids.indexOf(id) !== at);
  if (repeated !== undefined)
    gaps.push({
      column: 'Primary Product ID',
      path: record.request.efiling?.product_id === undefined ? 'product_info.variants' : 'efiling.product_id',
      ...efilingMessage('product_id_repeated', { id: repeated }),
    });
  return {
    rows: gaps.length === 0 ? products.map(({ values }) => registryLine(values)) : null,
    gaps: gaps.filter(
      (gap, at) => gaps.findIndex(each => each.path === gap.path && messageText(each) === messageText(gap)) === at,
    ),
    notes: [...notesOn(record, codes), ...(codes ? lostFieldsNotes(products, codes) : [])],
  };
}

type Values = ReturnType<typeof valuesOf>;

/** Returns gaps for missing required values and for values that are too long. */
function columnGaps(product: string, values: Values): RowGap[] {
  const gaps: RowGap[] = REQUIRED_COLUMNS.flatMap(([column, path]) =>
    values[column] ? [] : [{ column, path, ...missing(column) }],
  );
  for (const [column, value] of Object.entries(values) as [RegistryColumn, string | undefined][]) {
    const [, limit] = WIDTHS.find(([name]) => name.test(column)) ?? [];
    if (value && limit !== undefined && [...value].length > limit)
      gaps.push({
        ...{ column, path: pathOf(column, product) },
        ...efilingMessage('column_too_long', { column, limit: `${limit}` }),
      });
  }
  for (const lab of ['Lab 1', 'Lab 2'] as const) {
    const path = lab === 'Lab 1' ? 'testing_lab' : 'other_labs.0';
    if (values[`${lab} Type`] === 'LAB' && !values[`${lab} Alternate ID`])
      gaps.push({
        column: `${lab} Alternate ID`,
        path: `${path}.accreditation_id`,
        ...efilingMessage('lab_id_required', { lab }),
      });
  }
  if (values['Lot Number'] && !values['Lot Number Assigned By'])
    gaps.push({
      column: 'Lot Number Assigned By',
      path: 'efiling.lot_assigned_by',
      ...efilingMessage('lot_assigner_required'),
    });
  return gaps;
}

/**
 * Returns the message for a missing required value. Citation codes have their own message, because they don't come from
 * a single field.
 */
const missing = (column: RegistryColumn): EfilingMessage =>
  column === 'Lab 1 Citation Codes' ? efilingMessage('codes_required') : efilingMessage('column_required', { column });

/** Returns the request field for a column whose value is too long, or the column's name if the field isn't known. */
function pathOf(column: RegistryColumn, product: string): string {
  if (column === 'Product Name (Model)') return `${product}.name`;
  return REQUIRED_COLUMNS.find(([name]) => name === column)?.[1] ?? column;
}

/** Returns gaps for facts that have no column, if the row would be misleading without them. */
function recordGaps({ request, rules }: CertificateRecord): RowGap[] {
  const gaps: RowGap[] = [];
  if ((request.other_labs?.length ?? 0) > 1)
    gaps.push({
      column: null,
      path: 'other_labs.1',
      ...efilingMessage('too_many_labs'),
    });
  if (rules.some(rule => rule.exclusion && !needsTest(rule)))
    gaps.push({
      column: null,
      path: 'exclusions',
      ...efilingMessage('exclusions_without_column'),
    });
  return gaps;
}

/**
 * Returns the citation codes for each laboratory, the cited rules without a code, and the codes in the request that
 * aren't in the list.
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

function notesOn(record: CertificateRecord, codes: CodeList | null): EfilingMessage[] {
  return [
    ...draftMessages(record),
    efilingMessage('registry_template_unread'),
    ...(codes ? [efilingMessage('codes_from_list', { date: codes.as_of, source: codes.source })] : []),
    ...(record.request.certificate_type === 'CPC' ? [efilingMessage('childrens_facts_without_column')] : []),
  ];
}

/**
 * Returns a note that lists the fields that aren't restored when the rows are imported, or an empty list if there
 * aren't any.
 */
function lostFieldsNotes(
  products: readonly { readonly record: CertificateRecord; readonly values: Values }[],
  codes: CodeList,
): EfilingMessage[] {
  const lost = new Set(
    products.flatMap(({ record, values }) => lostFields(record.request, requestOfRow(values as RegistryRow, codes))),
  );
  return lost.size === 0 ? [] : [efilingMessage('fields_lost', { fields: [...lost].join(', ') })];
}
