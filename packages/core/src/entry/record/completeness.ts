import type { RecordFacts } from './facts.ts';
import { countryOf } from './places.ts';

/** One element that the rule asks for and the certificate lacks. `path` is the field that would fill it. */
export interface MissingElement {
  element: string;
  path: string;
  message: string;
}

/** Whether all elements of 16 CFR 1110.11(a) are there. It judges presence, never truth. */
export interface Completeness {
  status: 'complete' | 'incomplete';
  missing: readonly MissingElement[];
}

interface Contact {
  name?: string | undefined;
  address?: string | undefined;
  city?: string | undefined;
  state_province?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
  email?: string | undefined;
}

/**
 * Lists what 16 CFR 1110.11(a)(1) to (7) asks for and the record does not hold. An exclusion replaces the test of its rule
 * (paragraph (c)).
 */
export function completenessOf(record: RecordFacts): Completeness {
  const { request, rules } = record;
  const { product_info: product, manufacturer, testing_lab: lab, records_contact: keeper } = request;
  const missing: MissingElement[] = [];
  const lack = (paragraph: number, path: string, message: string) =>
    missing.push({ element: `16 CFR 1110.11(a)(${paragraph})`, path, message });
  const contact = (paragraph: number, path: string, who: string, party: Contact, emailField = 'email') => {
    for (const [field, what] of gapsOf(party))
      lack(paragraph, `${path}.${field === 'email' ? emailField : field}`, `${who}: ${what}`);
  };

  const identifiers = ['gtin', 'model', 'registered_number', 'serial_number', 'sku', 'upc', 'alternate_id'] as const;
  if (!identifiers.some(field => product[field])) {
    lack(
      1,
      'product_info.model',
      'An identifier of the product: GTIN, model, registered number, serial number, SKU, UPC or another',
    );
  }
  if (!product.description) lack(1, 'product_info.description', 'A description that matches this product and no other');

  if (record.certifying_party) contact(3, 'certifier', 'Certifier', record.certifying_party);
  else lack(3, 'certifier', 'The certifier: the importer, or the manufacturer of goods made in the US');

  if (keeper) contact(4, 'records_contact', 'Keeper of the test records', keeper);
  else lack(4, 'records_contact', 'The person or position that keeps the test records, with contact details');

  const maker = {
    ...manufacturer,
    address: manufacturer.street ?? manufacturer.address,
    email: manufacturer.contact_email,
  };
  contact(5, 'manufacturer', 'Manufacturer', maker, 'contact_email');
  if (!record.country_of_manufacture) lack(5, 'product_info.place_of_manufacture', 'The country of manufacture');

  if (rules.some(rule => !rule.exclusion)) {
    contact(6, 'testing_lab', 'Testing party', lab);
    for (const [at, other] of (request.other_labs ?? []).entries())
      contact(6, `other_labs.${at}`, 'Testing party', other);
    const untested = rules.filter(rule => !rule.exclusion && rule.tests.length === 0);
    if (untested.length > 0 && rules.length > 1) {
      lack(6, 'tests', `The most recent test of each rule: none is given for ${untested.length} of ${rules.length}`);
    }
  }

  if (!request.attestation) lack(7, 'attestation', 'The attestation of the certifier');
  return { status: missing.length === 0 ? 'complete' : 'incomplete', missing };
}

/** Street address, city, state or province, country, telephone, e-mail; the address may hold city, state and country. */
function* gapsOf({
  address,
  city,
  state_province,
  country,
  phone,
  email,
}: Contact): Iterable<[field: string, what: string]> {
  const parts = address?.split(/[,;\n，、；]/u).filter(part => part.trim() !== '').length ?? 0;
  const inAddress = address ? countryOf(address) : null;
  const where = country ?? inAddress;
  if (!address) yield ['address', 'street address'];
  if (!city && parts < (inAddress ? 3 : 2)) yield ['city', 'city'];
  if (!where) yield ['country', 'country'];
  // Few countries but these use a state or province in every address.
  if (
    !state_province &&
    ['US', 'CA', 'CN', 'AU', 'IN', 'MX', 'BR'].includes(where ?? '') &&
    (city ? parts < 2 : parts < 4)
  ) {
    yield ['state_province', 'state or province'];
  }
  if (!phone) yield ['phone', 'telephone number'];
  if (!email) yield ['email', 'e-mail address'];
}
