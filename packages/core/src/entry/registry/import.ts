import { countryCodeOf } from '../places/places.ts';
import type { CertificateRequest } from '../request/schema.ts';
import { type CodeList, citationOf } from './codes.ts';
import type { RegistryColumn } from './columns.ts';

/** A row of a Product Registry CSV file, by column. */
export type RegistryRow = Readonly<Partial<Record<RegistryColumn, string>>>;

/**
 * A request created from a Registry row. Anything that a row can't contain, such as the certifier and the attestation, is
 * missing.
 */
export type ImportedRequest = Omit<CertificateRequest, 'cpsc_rules_cited'> & { cpsc_rules_cited: string[] };

/**
 * Converts a row of a Product Registry CSV file to a certificate request. Exporting the request again results in the
 * same row. Looks up the rules for the row's citation codes in `codes`. A citation code that isn't in `codes` is kept
 * as an unknown rule, such as `eFiling code 1203`.
 *
 * @throws RangeError if a date or a code in the row isn't valid
 * @example requestOfRow({ 'Product Name (Model)': 'Helmet', 'Manufacture Date': '09/2026' }, codes).product_info.name // 'Helmet'
 */
export function requestOfRow(row: RegistryRow, codes: CodeList): ImportedRequest {
  const value = (column: RegistryColumn) => plain(row[column]);
  const yes = (column: RegistryColumn) => (value(column) === undefined ? undefined : value(column) === 'Y');
  const labCodes = (['Lab 1 Citation Codes', 'Lab 2 Citation Codes'] as const).map(column => listOf(value(column)));
  const all = [...new Set(labCodes.flat())];
  const ruleOf = (code: string) => citationOf(code, codes) ?? `eFiling code ${code}`;
  const lastTest = dateOf(value('Last Test Date'), 'Last Test Date');
  return compact({
    ...(value('Certificate Type') === 'CPC' && { certificate_type: 'CPC' }),
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
      date_of_manufacture: dateOf(value('Manufacture Date'), 'Manufacture Date'),
      production_start: dateOf(value('Production Start Date'), 'Production Start Date'),
      production_end: dateOf(value('Production End Date'), 'Production End Date'),
      place_of_manufacture: [value('Manufacturer City'), value('Manufacturer Country')].filter(Boolean).join(', '),
    },
    manufacturer: {
      name: value('Manufacturer Name'),
      address: value('Manufacturer Address Line 1'),
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
      address: value('Lab 1 Address Line 1'),
      city: value('Lab 1 City'),
      state_province: value('Lab 1 State/Province'),
      country: countryOf(value('Lab 1 Country')),
      postal_code: value('Lab 1 Zip/Postal Code'),
      phone: value('Lab 1 Phone'),
      email: value('Lab 1 Email'),
      report_ids: value('Lab 1 Test Report ID') && [value('Lab 1 Test Report ID')],
      test_date: lastTest,
    },
    other_labs: value('Lab 2 Type') && [
      {
        name: value('Lab 2 CPSC-ID') ?? value('Lab 2 Alternate ID'),
        accreditation_id: value('Lab 2 Alternate ID'),
        cpsc_lab_id: value('Lab 2 CPSC-ID'),
        report_ids: value('Lab 2 Test Report ID') && [value('Lab 2 Test Report ID')],
      },
    ],
    cpsc_rules_cited: all.map(ruleOf),
    tests: labCodes.flatMap((list, lab_index) =>
      list.map(code => ({ rule: ruleOf(code), lab_index, test_date: lastTest })),
    ),
    records_contact: value('POC Name') && {
      name: value('POC Name'),
      address: value('POC Address Line 1'),
      city: value('POC City'),
      state_province: value('POC State/Province'),
      country: countryOf(value('POC Country')),
      postal_code: value('POC Zip/Postal Code'),
      phone: value('POC Phone'),
      email: value('POC Email'),
    },
    ...(value('Certificate Type') === 'CPC' &&
      value('Small Batch Manufacturer CPSC ID') && {
        small_batch: {
          registration_id: value('Small Batch Manufacturer CPSC ID'),
          year: Number(value('Manufacture Date')?.slice(3)),
        },
      }),
    efiling: {
      product_id: value('Primary Product ID'),
      version_id: value('New Version ID'),
      current_version_id: value('Current Version ID'),
      citation_codes: labCodes[0],
      manufacturer_alternate_id: value('Manufacturer Alternate ID'),
      manufacturer_is_new: yes('Manufacturer Is New?'),
      lab_is_new: yes('Lab 1 Is New?'),
      lot_assigned_by: value('Lot Number Assigned By')?.toLowerCase(),
      records_contact_is_new: yes('POC Is New?'),
    },
  }) as ImportedRequest;
}

/** Removes the apostrophe that the export adds to values that a spreadsheet would otherwise evaluate as formulas. */
const plain = (value: string | undefined) => value?.trim().replace(/^'(?=[=+\-@＝＋－＠])/, '') || undefined;

const listOf = (value: string | undefined) =>
  value
    ? value
        .split(';')
        .map(each => each.trim())
        .filter(Boolean)
    : [];

const countryOf = (name: string | undefined) => name && countryCodeOf(name);

/** Converts MM/YYYY and MM/DD/YYYY to ISO 8601. */
function dateOf(value: string | undefined, column: string): string | undefined {
  if (value === undefined) return undefined;
  const [, month, day, year] = /^(\d{2})\/(?:(\d{2})\/)?(\d{4})$/.exec(value) ?? [];
  if (year === undefined) throw new RangeError(`${column}: must be MM/YYYY or MM/DD/YYYY`);
  return [year, month, ...(day ? [day] : [])].join('-');
}

/** Removes undefined values and empty lists. */
function compact(value: object): object {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    if (each === undefined || each === '' || (Array.isArray(each) && each.length === 0)) return [];
    if (Array.isArray(each)) return [[key, each.map(item => (typeof item === 'object' ? compact(item) : item))]];
    return [[key, typeof each === 'object' && each !== null ? compact(each) : each]];
  });
  return Object.fromEntries(entries);
}
