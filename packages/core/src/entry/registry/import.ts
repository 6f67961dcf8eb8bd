import * as z from 'zod';
import { countryCodeOf } from '../places/places.ts';
import { citedRules } from '../request/cited-rules.ts';
import { isMonth } from '../request/period.ts';
import { type CertificateRequest, MAX_RULES } from '../request/schema.ts';
import { FORBIDDEN_CHARACTER, hasForbiddenCharacter } from '../request/text.ts';
import type { RowProblem } from '../rows/columns.ts';
import { valuesInCell } from '../rows/row-request.ts';
import { type CodeList, citationOf } from './codes.ts';
import { REGISTRY_COLUMNS, type RegistryColumn } from './columns.ts';
import { valuesOf } from './row.ts';

/** A row of a Product Registry CSV file, by column. */
export type RegistryRow = Readonly<Partial<Record<RegistryColumn, string>>>;

/**
 * A request created from a Registry row. Fields that a row can't contain, such as the certifier and the attestation,
 * are missing.
 */
export type ImportedRequest = Omit<CertificateRequest, 'cpsc_rules_cited'> & { cpsc_rules_cited: string[] };

/** A value in a Registry row that the imported request doesn't contain, or contains in another form. */
export interface DroppedValue {
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/**
 * An imported request field whose value was derived from other columns because the field doesn't have its own column.
 */
export interface AssumedValue {
  readonly path: 'product_info.place_of_manufacture' | 'tests' | 'small_batch.year';
  readonly message: string;
}

/** A request created from a Registry row, with every value that was dropped and every field whose value was assumed. */
export interface RegistryImport {
  readonly request: ImportedRequest;
  readonly dropped: readonly DroppedValue[];
  readonly assumed: readonly AssumedValue[];
}

/** Thrown if a Registry row contains values that can't be imported. The message names each column. */
export class InvalidRegistryRow extends RangeError {
  /** The columns with invalid values, in the order of {@link REGISTRY_COLUMNS}. */
  readonly problems: readonly RowProblem[];
  constructor(problems: readonly RowProblem[]) {
    super(problems.map(({ column, message }) => `${column}: ${message}`).join('; '));
    this.problems = problems;
  }
}

const YES_OR_NO = new Map<string | undefined, boolean>([
  ['Y', true],
  ['N', false],
]);
const LOT_ASSIGNERS = new Map<string | undefined, string>([
  ['Manufacturer', 'manufacturer'],
  ['Seller', 'seller'],
]);

/**
 * Converts a row of a Product Registry CSV file to a certificate request. Uses `codes` to look up the rules for the
 * row's citation codes. A citation code that isn't in `codes` is kept as an unknown rule, such as `eFiling code 1203`.
 *
 * @throws InvalidRegistryRow if a date isn't a calendar date, if a value has more than 5,000 characters or contains
 * characters that a request can't contain, or if a laboratory has more than 200 citation codes. The error lists all
 * invalid values in the row.
 * @example importRow({ 'Product Name (Model)': 'Helmet', 'Manufacture Date': '09/2026' }, codes).request.product_info.name // 'Helmet'
 */
export function importRow(row: RegistryRow, codes: CodeList): RegistryImport {
  const problems = problemsIn(row);
  if (problems.length > 0) throw new InvalidRegistryRow(problems);
  const request = requestOfRow(row, codes);
  return { request, dropped: droppedValues(row, request), assumed: assumedValues(request) };
}

const DATE_COLUMNS: readonly RegistryColumn[] = [
  'Manufacture Date',
  'Production Start Date',
  'Production End Date',
  'Last Test Date',
];

function problemsIn(row: RegistryRow): RowProblem[] {
  return REGISTRY_COLUMNS.flatMap(column => {
    const value = plain(row[column]);
    if (value === undefined) return [];
    if (value.length > MAX_CELL) return [{ column, message: `must have at most ${MAX_CELL} characters` }];
    if (hasForbiddenCharacter(value)) return [{ column, message: FORBIDDEN_CHARACTER }];
    if (column.endsWith('Citation Codes') && listOf(value).length > MAX_RULES)
      return [{ column, message: `must list at most ${MAX_RULES} codes` }];
    const isDate = DATE_COLUMNS.includes(column);
    return isDate && dateOf(value) === undefined ? [{ column, message: INVALID_DATE }] : [];
  });
}

/**
 * Maximum length of a value, which is far longer than any value that a request can contain. A laboratory's values are
 * repeated in each of its tests, so a longer value could result in a request that doesn't fit in memory.
 */
const MAX_CELL = 5_000;

const INVALID_DATE = 'must be a date (MM/DD/YYYY) or a month (MM/YYYY)';

/** Returns a row's citation codes for each laboratory. */
const labCodesOf = (row: RegistryRow): readonly (readonly string[])[] =>
  (['Lab 1 Citation Codes', 'Lab 2 Citation Codes'] as const).map(column => listOf(plain(row[column])));

/** Returns the request for a row, without reporting dropped and assumed values as {@link importRow} does. */
export function requestOfRow(row: RegistryRow, codes: CodeList): ImportedRequest {
  const labCodes = labCodesOf(row);
  const value = (column: RegistryColumn) => plain(row[column]);
  const yes = (column: RegistryColumn) => YES_OR_NO.get(value(column));
  const address = (party: 'Manufacturer' | 'Lab 1' | 'POC') =>
    [value(`${party} Address Line 1`), value(`${party} Address Line 2`), value(`${party} Apt/Suite Number`)]
      .filter(Boolean)
      .join(', ');
  const ruleOf = (code: string) => citationOf(code, codes) ?? `eFiling code ${code}`;
  const lastTest = dateOf(value('Last Test Date'));
  const isChildrens = value('Certificate Type') === 'CPC';
  const manufactured = dateOf(value('Manufacture Date'));
  const registration = value('Small Batch Manufacturer CPSC ID');
  const secondLab = value('Lab 2 CPSC-ID') ?? value('Lab 2 Alternate ID');
  const testsOf = (lab: 'Lab 1' | 'Lab 2', lab_index: number) =>
    (labCodes[lab_index] ?? []).map(code => ({
      rule: ruleOf(code),
      lab_index,
      test_date: lastTest,
      report_id: value(`${lab} Test Report ID`),
      report_url: value(`${lab} Test URL`),
      component: value(`${lab} Component Description`),
    }));
  return {
    product_info: {},
    manufacturer: {},
    cpsc_rules_cited: [...new Set(labCodes.flat())].map(ruleOf),
    ...compact({
      certificate_type: isChildrens ? 'CPC' : undefined,
      product_info: {
        name: value('Product Name (Model)'),
        brand: value('Trade/Brand Name'),
        description: value('Product/Model Description'),
        gtin: value('GTIN'),
        upc: value('UPC'),
        sku: value('SKU'),
        model: value('Model Number'),
        serial_number: value('Serial Number'),
        registered_number: value('Registered Number'),
        alternate_id: value('Alternate Identifier'),
        lot_number: value('Lot Number'),
        date_of_manufacture: manufactured,
        production_start: dateOf(value('Production Start Date')),
        production_end: dateOf(value('Production End Date')),
        place_of_manufacture: [value('Manufacturer City'), value('Manufacturer Country')].filter(Boolean).join(', '),
      },
      manufacturer: {
        name: value('Manufacturer Name'),
        address: address('Manufacturer'),
        city: value('Manufacturer City'),
        state_province: value('Manufacturer State/Province'),
        postal_code: value('Manufacturer Zip/Postal Code'),
        country: countryOf(value('Manufacturer Country')),
        phone: value('Manufacturer Phone'),
        contact_email: value('Manufacturer Email'),
      },
      testing_lab: {
        name: value('Lab 1 Name') ?? value('Lab 1 CPSC-ID') ?? value('Lab 1 Alternate ID'),
        accreditation_id: value('Lab 1 Alternate ID'),
        cpsc_lab_id: value('Lab 1 CPSC-ID'),
        address: address('Lab 1'),
        city: value('Lab 1 City'),
        state_province: value('Lab 1 State/Province'),
        country: countryOf(value('Lab 1 Country')),
        postal_code: value('Lab 1 Zip/Postal Code'),
        phone: value('Lab 1 Phone'),
        email: value('Lab 1 Email'),
        report_ids: value('Lab 1 Test Report ID') && [value('Lab 1 Test Report ID')],
        test_date: lastTest,
      },
      other_labs: secondLab && [
        {
          name: secondLab,
          accreditation_id: value('Lab 2 Alternate ID'),
          cpsc_lab_id: value('Lab 2 CPSC-ID'),
          report_ids: value('Lab 2 Test Report ID') && [value('Lab 2 Test Report ID')],
        },
      ],
      tests: [...testsOf('Lab 1', 0), ...(secondLab ? testsOf('Lab 2', 1) : [])],
      records_contact: value('POC Name') && {
        name: value('POC Name'),
        address: address('POC'),
        city: value('POC City'),
        state_province: value('POC State/Province'),
        country: countryOf(value('POC Country')),
        postal_code: value('POC Zip/Postal Code'),
        phone: value('POC Phone'),
        email: value('POC Email'),
      },
      small_batch:
        isChildrens && registration && manufactured
          ? { registration_id: registration, year: Number(manufactured.slice(0, 4)) }
          : undefined,
      efiling: {
        product_id: value('Primary Product ID'),
        version_id: value('New Version ID'),
        current_version_id: value('Current Version ID'),
        citation_codes: labCodes[0],
        manufacturer_alternate_id: value('Manufacturer Alternate ID'),
        manufacturer_is_new: yes('Manufacturer Is New?'),
        lab_is_new: yes('Lab 1 Is New?'),
        lot_assigned_by: LOT_ASSIGNERS.get(value('Lot Number Assigned By')),
        records_contact_is_new: yes('POC Is New?'),
      },
    }),
  } as ImportedRequest;
}

/** Returns the row's values that would be lost or changed if the imported request were exported again. */
function droppedValues(row: Readonly<Record<string, string | undefined>>, imported: ImportedRequest): DroppedValue[] {
  const request = imported as CertificateRequest;
  const again = new Map<string, string | undefined>(
    Object.entries(valuesOf({ request, rules: citedRules(request) }, labCodesOf(row))),
  );
  return Object.keys(row).flatMap(column => {
    const value = plain(row[column]);
    const kept = again.get(column);
    if (value === undefined || isKept(column, value, kept)) return [];
    const known = (REGISTRY_COLUMNS as readonly string[]).includes(column);
    const line = ADDRESS_COLUMN.exec(column)?.[1];
    if (line !== undefined) return [{ column, value, reason: `is read as part of ${line} Address Line 1` }];
    if (kept !== undefined && kept !== '') return [{ column, value, reason: `is read as ${kept}` }];
    return [
      {
        column,
        value,
        reason: known ? 'isn’t in the request' : 'is in a column that isn’t part of the known CSV format',
      },
    ];
  });
}

/** Columns whose values the import adds to the first line of the address. */
const ADDRESS_COLUMN = /^(Manufacturer|Lab 1|POC) (?:Address Line 2|Apt\/Suite Number)$/;

/**
 * Returns whether a column has the same value in the imported request's row, ignoring the format of lists and
 * addresses.
 */
function isKept(column: string, value: string, kept: string | undefined): boolean {
  // The request contains the whole date, but a row exported from it might contain only the month or no date.
  if (value === kept || (DATE_COLUMNS as readonly string[]).includes(column)) return true;
  if (column.endsWith('Citation Codes')) return listOf(value).join() === listOf(kept).join();
  return column.endsWith('Address Line 1') && kept?.startsWith(`${value}, `) === true;
}

function assumedValues({
  tests,
  product_info,
  small_batch,
}: ImportedRequest & { small_batch?: object }): AssumedValue[] {
  return [
    ...(product_info?.place_of_manufacture
      ? [assumed('product_info.place_of_manufacture', 'is the manufacturer’s city and country')]
      : []),
    ...(tests ? [assumed('tests', 'use the last test date and the report ID and URL of each test’s laboratory')] : []),
    ...(small_batch ? [assumed('small_batch.year', 'is the year of manufacture')] : []),
  ];
}

const assumed = (path: AssumedValue['path'], message: string): AssumedValue => ({ path, message });

/** Removes the apostrophe that the export adds to values that a spreadsheet would otherwise evaluate as formulas. */
const plain = (value: string | undefined) => value?.trim().replace(/^'(?=[=+\-@＝＋－＠])/, '') || undefined;

const listOf = (value: string | undefined) => [...new Set(valuesInCell(value ?? ''))];

const countryOf = (name: string | undefined) => name && countryCodeOf(name);

/** Converts MM/YYYY and MM/DD/YYYY to ISO 8601. Returns undefined for anything else, such as 02/30/2026. */
function dateOf(value: string | undefined): string | undefined {
  const [, month, day, year] = /^(\d{2})\/(?:(\d{2})\/)?(\d{4})$/.exec(value ?? '') ?? [];
  const date = [year, month, ...(day ? [day] : [])].join('-');
  return isMonth(date) || z.regexes.date.test(date) ? date : undefined;
}

/** Removes undefined values and empty lists. */
function compact(value: object): object {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    if (each === undefined || each === '') return [];
    if (Array.isArray(each) && each.length === 0) return [];
    if (Array.isArray(each)) return [[key, each.map(item => (typeof item === 'object' ? compact(item) : item))]];
    if (typeof each !== 'object') return [[key, each]];
    const inner = compact(each);
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}
