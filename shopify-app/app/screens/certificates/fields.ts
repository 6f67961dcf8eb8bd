/** Input type of a certificate field. */
export type FieldKind = 'text' | 'long' | 'date' | 'email' | 'lines' | 'choice' | 'rule' | 'lab';

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
    fields: ['name', 'test_date', ...CONTACT],
    more: ['type', 'accreditation_id', 'cpsc_lab_id', 'report_ids'],
  },
  certifier: { name: 'certifier', fields: ['role', 'name', ...CONTACT], more: ['importer_of_record_number'] },
  records_contact: { name: 'records_contact', fields: ['name', 'position', ...CONTACT], more: [] },
  efiling: { name: 'efiling', fields: [], more: ['certifier_id', 'product_id', 'version_id', 'citation_codes'] },
} as const satisfies Record<string, FieldGroup>;

/** Field groups that can occur any number of times per certificate. */
export const LISTS = {
  tests: {
    name: 'tests',
    fields: ['rule', 'test_date', 'lab_index', 'report_id', 'standard'],
    more: ['component', 'report_url'],
  },
  exclusions: { name: 'exclusions', fields: ['rule', 'basis', 'code'], more: [] },
  other_labs: {
    name: 'other_labs',
    fields: ['name', ...CONTACT],
    more: ['type', 'accreditation_id', 'cpsc_lab_id', 'report_ids'],
  },
} as const satisfies Record<string, FieldGroup>;

/** Options for fields with a fixed set of values. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  role: ['importer', 'domestic_manufacturer', 'private_labeler'],
  type: ['third_party', 'first_party'],
};

const KINDS: Readonly<Record<string, FieldKind>> = {
  ...{ date_of_manufacture: 'date', production_start: 'date', production_end: 'date', test_date: 'date' },
  ...{ email: 'email', contact_email: 'email', address: 'long', description: 'long', basis: 'long' },
  ...{ place_of_manufacture_address: 'long', report_ids: 'lines', citation_codes: 'lines' },
  ...{ role: 'choice', type: 'choice', rule: 'rule', lab_index: 'lab' },
};

export const kindOf = (field: string): FieldKind => KINDS[field] ?? 'text';
export const leafOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** Returns the value at a dotted path, or undefined. */
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
 * Scrolls to and focuses the element for a dotted path or, if the page doesn't have that element, for the nearest parent
 * path.
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
