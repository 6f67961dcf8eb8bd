const OWNERS: Readonly<Record<string, string>> = {
  product_info: 'product',
  testing_lab: 'testing lab',
  records_contact: 'records custodian',
  manufacturer: 'manufacturer',
  certifier: 'certifier',
  attestation: 'attestation',
};

const FIELDS: Readonly<Record<string, string>> = {
  sku: 'SKU',
  gtin: 'GTIN',
  upc: 'UPC',
  alternate_id: 'alternate ID',
  contact_email: 'email',
  phone: 'phone number',
  state_province: 'state or province',
  place_of_manufacture: 'place of manufacture',
  place_of_manufacture_address: 'address of the place of manufacture',
  attested_by: 'name',
};

/**
 * Returns the English name of a request field, for messages about the field.
 *
 * @example fieldName('certifier.state_province') // 'Certifier state or province'
 */
export function fieldName(path: string): string {
  const [owner = '', ...rest] = path.split('.');
  const field = rest.at(-1) ?? '';
  const name = owner === 'cpsc_rules_cited' ? `rule ${Number(field) + 1}` : partName(owner, rest, field);
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

function partName(owner: string, [at, index]: readonly string[], field: string): string {
  const what = FIELDS[field] ?? field.replaceAll('_', ' ');
  if (at === 'variants') return `variant ${Number(index) + 1} ${what}`;
  if (owner === 'other_labs') return `lab ${Number(at) + 2} ${what}`;
  if (owner === 'component_certificates') return `component certificate ${Number(at) + 1} ${what}`;
  if (owner === 'exclusions') return `exclusion ${Number(at) + 1} ${what}`;
  // The names of these fields make sense without "product".
  return what.includes('place of') ? what : `${OWNERS[owner] ?? owner} ${what}`;
}
