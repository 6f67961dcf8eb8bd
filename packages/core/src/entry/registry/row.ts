import { countryName } from '../places/places.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import { kindOfRequest } from '../request/parse.ts';
import { isMonth } from '../request/period.ts';
import { REGISTRY_COLUMNS, type RegistryColumn } from './columns.ts';

/**
 * Returns the certificate as a row for CPSC's Product Registry CSV import. The row is in RFC 4180 format, with 83
 * columns and no line ending. A leading apostrophe is added to each value that a spreadsheet would evaluate as a
 * formula, except phone numbers that contain only digits and punctuation. Values aren't truncated to the Registry's
 * column widths, and `Lab 1 Citation Codes` contains only codes from the request.
 *
 * @example registryRow(record).startsWith('N,,') // true
 */
export function registryRow(record: CertificateRecord): string {
  return registryLine(valuesOf(record, [record.request.efiling?.citation_codes ?? []]));
}

/** Returns a CSV line, without a line ending, for values keyed by column. */
export const registryLine = (values: Partial<Record<RegistryColumn, string | undefined>>): string =>
  REGISTRY_COLUMNS.map(column => field(values[column] ?? '')).join(',');

/** Returns the header line for {@link registryRow}, without a line ending. */
export const registryHeader: string = REGISTRY_COLUMNS.map(field).join(',');

/**
 * Returns a Product Registry CSV file: the header and the given rows.
 *
 * @param rows rows without line endings, such as those from {@link registryRow}
 * @example registryFile([registryRow(record)]).split('\r\n').length // 3
 */
export const registryFile = (rows: readonly string[]): string =>
  [registryHeader, ...rows].map(line => `${line}\r\n`).join('');

/** Escapes formulas in a value, and then quotes the value if RFC 4180 requires quotation marks. */
function field(value: string): string {
  const harmless = /^\+[\d\s().-]+$/.test(value);
  const safe = !harmless && /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const monthYear = (date: string | undefined) => date && `${date.slice(5, 7)}/${date.slice(0, 4)}`;
/** Returns a date in the Registry's format, or undefined if the date doesn't include a day. */
const monthDayYear = (date: string | undefined) =>
  date && (isMonth(date) ? undefined : `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`);

/** Returns a product's primary Registry identifier and its type. */
export function primaryId({
  request: { product_info: product, efiling },
}: Pick<CertificateRecord, 'request'>): [id?: string, type?: string] {
  const ids: [value: string | undefined, type: string][] = [
    [product.gtin, 'GTIN'],
    [product.upc, 'UPC'],
    [product.sku, 'SKU'],
    [product.model, 'Model Number'],
    [product.serial_number, 'Serial Number'],
    [product.registered_number, 'Registered Number'],
    [product.alternate_id, 'Alternate Identifier'],
  ];
  if (efiling?.product_id) {
    const type = ids.find(([value]) => value === efiling.product_id)?.[1];
    return [efiling.product_id, type ?? 'Alternate Identifier'];
  }
  const [id, type] = ids.find(([value]) => value) ?? [];
  return id === undefined ? [] : [id, type!];
}

/** Returns a certificate's values, keyed by column. `codes` contains each laboratory's citation codes. */
export function valuesOf(
  record: Pick<CertificateRecord, 'request' | 'rules'>,
  codes: readonly (readonly string[])[],
): Partial<Record<RegistryColumn, string | undefined>> {
  const { product_info: product, manufacturer, testing_lab: lab, records_contact: keeper, efiling } = record.request;
  const smallBatch = record.request.certificate_type === 'CPC' ? record.request.small_batch : undefined;
  const [id, idType] = primaryId(record);
  const country = (code: string | undefined) => code && countryName(code);
  const tested = [lab?.test_date, ...record.rules.flatMap(rule => rule.tests.map(test => test.test_date))]
    .filter(date => date !== undefined)
    .sort();
  return {
    'Product Update': efiling?.current_version_id ? 'Y' : 'N',
    'Current Version ID': efiling?.current_version_id,
    'New Version ID': efiling?.version_id,
    'Primary Product ID': id,
    'Primary Product ID Type': idType,
    GTIN: product.gtin,
    UPC: product.upc,
    SKU: product.sku,
    'Model Number': product.model,
    'Serial Number': product.serial_number,
    'Registered Number': product.registered_number,
    'Alternate Identifier': product.alternate_id,
    'Certificate Type': kindOfRequest(record.request),
    'Product Name (Model)': product.name,
    'Trade/Brand Name': product.brand,
    'Product/Model Description': product.description,
    'Manufacturer Is New?': yesOrNo(efiling?.manufacturer_is_new),
    'Manufacturer Alternate ID': efiling?.manufacturer_alternate_id,
    'Manufacturer Name': manufacturer.name,
    'Small Batch Manufacturer CPSC ID': smallBatch?.registration_id,
    'Manufacturer Address Line 1': manufacturer.street ?? manufacturer.address,
    'Manufacturer City': manufacturer.city,
    'Manufacturer State/Province': manufacturer.state_province,
    'Manufacturer Country': country(manufacturer.country),
    'Manufacturer Zip/Postal Code': manufacturer.postal_code,
    'Manufacturer Phone': manufacturer.phone,
    'Manufacturer Email': manufacturer.contact_email,
    'Manufacture Date': monthYear(product.date_of_manufacture),
    'Production Start Date': monthDayYear(product.production_start),
    'Production End Date': monthDayYear(product.production_end),
    'Lot Number': product.lot_number,
    'Lot Number Assigned By':
      efiling?.lot_assigned_by && { manufacturer: 'Manufacturer', seller: 'Seller' }[efiling.lot_assigned_by],
    ...firstLab(record, codes[0] ?? []),
    ...secondLab(record, codes[1] ?? []),
    'Last Test Date': monthDayYear(tested.at(-1)),
    'Point of Contact (POC) for Test Result Records': keeper && 'Other',
    'POC Is New?': yesOrNo(efiling?.records_contact_is_new),
    'POC Name': keeper?.name ?? keeper?.position,
    'POC Address Line 1': keeper?.address,
    'POC City': keeper?.city,
    'POC State/Province': keeper?.state_province,
    'POC Country': country(keeper?.country),
    'POC Zip/Postal Code': keeper?.postal_code,
    'POC Phone': keeper?.phone,
    'POC Email': keeper?.email,
  };
}

/** Returns `Y` or `N`, as the Registry requires, or undefined if the value is undefined. */
const yesOrNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'Y' : 'N');

function firstLab(
  record: Pick<CertificateRecord, 'request' | 'rules'>,
  codes: readonly string[],
): Partial<Record<RegistryColumn, string | undefined>> {
  const { testing_lab: lab, efiling } = record.request;
  if (!lab) return {};
  return {
    'Lab 1 Type': lab.cpsc_lab_id ? 'ITL' : 'LAB',
    'Lab 1 Is New?': yesOrNo(efiling?.lab_is_new),
    'Lab 1 CPSC-ID': lab.cpsc_lab_id,
    'Lab 1 Alternate ID': lab.accreditation_id,
    'Lab 1 Name': lab.name,
    'Lab 1 Address Line 1': lab.address,
    'Lab 1 City': lab.city,
    'Lab 1 State/Province': lab.state_province,
    'Lab 1 Country': lab.country && countryName(lab.country),
    'Lab 1 Zip/Postal Code': lab.postal_code,
    'Lab 1 Phone': lab.phone,
    'Lab 1 Email': lab.email,
    'Lab 1 Citation Codes': codes.join(';'),
    ...testColumns('Lab 1', record, 0),
  };
}

/** Returns the columns for the second lab. The template has name and address columns only for the first lab. */
function secondLab(
  record: Pick<CertificateRecord, 'request' | 'rules'>,
  codes: readonly string[],
): Partial<Record<RegistryColumn, string | undefined>> {
  const second = record.request.other_labs?.[0];
  return second
    ? {
        'Lab 2 Type': second.cpsc_lab_id ? 'ITL' : 'LAB',
        'Lab 2 CPSC-ID': second.cpsc_lab_id,
        'Lab 2 Alternate ID': second.accreditation_id,
        'Lab 2 Citation Codes': codes.join(';'),
        ...testColumns('Lab 2', record, 1),
      }
    : {};
}

/**
 * Returns the columns that describe a laboratory's tests. A row has room for only one report, one URL, and one
 * component per laboratory, so a column that would need several values stays empty. For the report ID, uses the first
 * entry in the laboratory's `report_ids`, if any.
 */
function testColumns(
  lab: 'Lab 1' | 'Lab 2',
  { request, rules }: Pick<CertificateRecord, 'request' | 'rules'>,
  index: number,
): Partial<Record<RegistryColumn, string | undefined>> {
  const tests = rules.flatMap(rule => rule.tests).filter(test => test.lab === index);
  const own = index === 0 ? request.testing_lab : request.other_labs?.[index - 1];
  const component = onlyValue(tests.map(test => test.component));
  return {
    [`${lab} Test Report ID`]: own?.report_ids?.[0] ?? onlyValue(tests.map(test => test.report_id)),
    [`${lab} Test URL`]: onlyValue(tests.map(test => test.report_url)),
    [`${lab} Is Component?`]: component && 'Y',
    [`${lab} Component Description`]: component,
  };
}

/** Returns the value that all items share, or undefined if the items differ or have no value. */
function onlyValue(values: readonly (string | null)[]): string | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? (first ?? undefined) : undefined;
}
