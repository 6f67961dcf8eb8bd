import type { CertificateKind } from '@compliance/core/entry';

/** Input type of a certificate field. */
export type FieldKind =
  | ('text' | 'long' | 'date' | 'email' | 'lines' | 'number' | 'months')
  | ('choice' | 'choices' | 'boolean' | 'rule' | 'lab' | 'country');

/** Field group. The field names are the same as in certificate requests. */
export interface FieldGroup {
  readonly name: string;
  readonly fields: readonly string[];
  /** Rarely used fields, collapsed under "More fields". */
  readonly more: readonly string[];
}

const CONTACT = ['address', 'city', 'state_province', 'postal_code', 'country', 'phone', 'email'];

/** Field groups that occur once per certificate, in form order. */
export const GROUPS = {
  age_grading: {
    name: 'age_grading',
    fields: ['ages.from_months', 'ages.to_months'],
    more: ['marketing', 'common_recognition', 'age_guidelines', 'stated_use', 'sold_with_other_audience'],
  },
  product_info: {
    name: 'product_info',
    fields: ['name', 'description', 'model', 'sku', 'gtin', 'date_of_manufacture', 'place_of_manufacture'],
    more: [
      ...['brand', 'upc', 'serial_number', 'registered_number', 'alternate_id', 'lot_number'],
      ...['production_start', 'production_end', 'place_of_manufacture_address'],
    ],
  },
  manufacturer: {
    name: 'manufacturer',
    fields: ['name', 'address', 'city', 'state_province', 'country', 'phone', 'contact_email'],
    more: ['street', 'postal_code'],
  },
  testing_lab: {
    name: 'testing_lab',
    fields: ['name', 'cpsc_lab_id', 'test_date', ...CONTACT],
    more: ['type', 'accreditation_id', 'report_ids'],
  },
  certifier: { name: 'certifier', fields: ['role', 'name', ...CONTACT], more: ['importer_of_record_number'] },
  records_contact: { name: 'records_contact', fields: ['name', 'position', ...CONTACT], more: [] },
  efiling: {
    name: 'efiling',
    fields: [],
    more: [
      ...['certifier_id', 'product_id', 'version_id', 'current_version_id', 'manufacturer_alternate_id'],
      ...['manufacturer_is_new', 'lab_is_new', 'records_contact_is_new', 'lot_assigned_by', 'citation_codes'],
    ],
  },
  childrens_product: {
    name: 'childrens_product',
    fields: ['types', 'surface_coating', 'sleepwear_sizes'],
    more: [],
  },
  toy_standard: { name: 'toy_standard', fields: ['edition', 'sections'], more: [] },
  small_batch: { name: 'small_batch', fields: [], more: ['registration_id', 'year'] },
  tracking_label: { name: 'tracking_label', fields: ['cohort', 'name', 'other'], more: [] },
} as const satisfies Record<string, FieldGroup>;

/** Field groups that can occur more than once per certificate. */
export const LISTS = {
  tests: {
    name: 'tests',
    fields: ['rule', 'test_date', 'lab_index', 'report_id', 'standard'],
    more: ['component', 'report_url'],
  },
  exclusions: { name: 'exclusions', fields: ['rule', 'basis', 'code'], more: [] },
  other_labs: {
    name: 'other_labs',
    fields: ['name', 'cpsc_lab_id', ...CONTACT],
    more: ['type', 'accreditation_id', 'report_ids'],
  },
} as const satisfies Record<string, FieldGroup>;

const AUDIENCES = ['children', 'general_use'] as const;

/** Options for fields with a fixed set of values. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  certificate_type: ['GCC', 'CPC'],
  language: ['de', 'es', 'fr', 'ja', 'ko', 'vi', 'zh'],
  ...{ marketing: AUDIENCES, common_recognition: AUDIENCES, age_guidelines: AUDIENCES, stated_use: AUDIENCES },
  types: [
    ...['toy', 'child_care_article', 'sleepwear', 'apparel', 'bunk_bed', 'bicycle', 'bicycle_helmet'],
    ...['full_size_crib', 'non_full_size_crib', 'toddler_bed', 'bassinet_or_cradle', 'play_yard'],
    ...['carriage_or_stroller', 'high_chair', 'booster_seat', 'folding_chair_or_stool'],
    ...['changing_product', 'infant_walker', 'rattle', 'pacifier'],
  ],
  sleepwear_sizes: ['0-6X', '7-14'],
  role: ['importer', 'domestic_manufacturer', 'private_labeler'],
  type: ['third_party', 'first_party'],
  lot_assigned_by: ['manufacturer', 'seller'],
};

const KINDS: Readonly<Record<string, FieldKind>> = {
  ...{ date_of_manufacture: 'date', production_start: 'date', production_end: 'date', test_date: 'date' },
  ...{ email: 'email', contact_email: 'email', address: 'long', description: 'long', basis: 'long' },
  ...{ place_of_manufacture_address: 'long', report_ids: 'lines', citation_codes: 'lines' },
  ...{ manufacturer_is_new: 'boolean', lab_is_new: 'boolean', records_contact_is_new: 'boolean' },
  ...{
    lot_assigned_by: 'choice',
    role: 'choice',
    type: 'choice',
    rule: 'rule',
    lab_index: 'lab',
    certificate_type: 'choice',
    language: 'choice',
  },
  ...{ marketing: 'choice', common_recognition: 'choice', age_guidelines: 'choice', stated_use: 'choice' },
  ...{
    country: 'country',
    from_months: 'months',
    to_months: 'months',
    year: 'number',
    other: 'long',
    sections: 'lines',
  },
  ...{ types: 'choices', sleepwear_sizes: 'choices', surface_coating: 'boolean', sold_with_other_audience: 'boolean' },
};

/** Default values of choice fields. All other choice fields can be left empty. */
export const DEFAULT_CHOICES: Readonly<Record<string, string>> = { certificate_type: 'GCC' };

/**
 * Returns the certificate kind that is selected in a form.
 *
 * @example kindOfFields({ certificate_type: 'CPC' }) // 'CPC'
 */
export const kindOfFields = (fields: unknown): CertificateKind =>
  valueAt(fields, 'certificate_type') === 'CPC' ? 'CPC' : 'GCC';

export const kindOf = (field: string): FieldKind => KINDS[field] ?? 'text';
export const leafOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** Returns the value at a dotted path, or undefined if the path doesn't exist. */
export function valueAt(fields: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce(
      (value: unknown, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      fields,
    );
}

/** Returns the list at a dotted path, or an empty list. */
export function listAt(fields: unknown, path: string): readonly unknown[] {
  const value = valueAt(fields, path);
  return Array.isArray(value) ? value : [];
}

/** Returns a copy of the fields with a new value at a dotted path. */
export function withValue<Value>(fields: Value, path: string, value: unknown): Value {
  const [key, ...rest] = path.split('.');
  const inner =
    rest.length === 0
      ? value
      : withValue(valueAt(fields, key!) ?? (isIndex(rest[0]!) ? [] : {}), rest.join('.'), value);
  if (Array.isArray(fields)) return fields.with(Number(key), inner) as Value;
  return { ...fields, [key!]: inner };
}

/**
 * Scrolls to and focuses the element for a dotted path or, if the page doesn't have that element, for the nearest
 * parent path.
 */
export function focusField(path: string): void {
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const element = document.getElementById(at);
    if (!element) continue;
    const details = element.closest('details') ?? element.querySelector('details');
    if (details && !details.open) {
      details.addEventListener('toggle', () => focusField(path), { once: true });
      details.open = true;
      return;
    }
    element.focus();
    element.scrollIntoView({ block: 'center' });
    return;
  }
}
