import { childrensGaps } from '../childrens/completeness.ts';
import { addressParts, needsState } from '../places/address.ts';
import { needsTest } from '../request/rules.ts';
import { type Contradiction, contradictionsOf } from './contradictions.ts';
import type { RecordFacts } from './facts.ts';

/** A required element missing from the certificate. `path` identifies the request field for the element. */
export interface MissingElement {
  element: string;
  path: string;
  message: string;
}

/**
 * The result of checking whether all elements required by law are present and don't contradict each other. Accuracy
 * isn't checked. A certificate is complete only if it has no missing elements and no contradictions.
 */
export interface Completeness {
  status: 'complete' | 'incomplete';
  missing: readonly MissingElement[];
  contradictions: readonly Contradiction[];
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
 * Lists a record's contradictions and missing elements. The elements are required by 16 CFR 1110.11(a)(1) through (7)
 * or, for children's products, by other provisions. A rule that's entirely excluded from testing doesn't require a test
 * (16 CFR 1110.11(c)).
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
  // If the product has variants, skip this check, because the schema requires an identifier for each variant.
  if (!product.variants && !identifiers.some(field => product[field])) {
    lack(
      1,
      'product_info.model',
      'A product identifier, such as a GTIN, model, registered number, serial number, SKU, or UPC',
    );
  }
  if (!product.description) lack(1, 'product_info.description', 'A description that identifies only this product');

  if (record.certifying_party) contact(3, 'certifier', 'Certifier', record.certifying_party);
  else lack(3, 'certifier', 'The certifier: the importer, or the manufacturer or private labeler of U.S.-made goods');

  if (keeper) contact(4, 'records_contact', 'Records custodian', keeper);
  else
    lack(
      4,
      'records_contact',
      'The records custodian: the person or position that maintains the test records, with contact details',
    );

  const maker = {
    ...manufacturer,
    address: manufacturer.street ?? manufacturer.address,
    email: manufacturer.contact_email,
  };
  contact(5, 'manufacturer', 'Manufacturer', maker, 'contact_email');
  if (!record.country_of_manufacture) lack(5, 'product_info.place_of_manufacture', 'The country of manufacture');

  if (rules.some(needsTest)) {
    contact(6, 'testing_lab', 'Testing party', lab ?? {});
    for (const [at, other] of (request.other_labs ?? []).entries())
      contact(6, `other_labs.${at}`, 'Testing party', other);
    const untested = rules.filter(rule => needsTest(rule) && rule.tests.length === 0);
    if (untested.length > 0 && rules.length > 1) {
      lack(6, 'tests', `The most recent test for each rule: missing for ${untested.length} of ${rules.length} rules`);
    }
  }

  if (!request.attestation) lack(7, 'attestation', 'The certifier’s attestation');
  if (record.childrens && request.certificate_type === 'CPC')
    missing.push(...childrensGaps(request, record.childrens, rules));
  const contradictions = contradictionsOf(record);
  const isComplete = missing.length === 0 && contradictions.length === 0;
  return { status: isComplete ? 'complete' : 'incomplete', missing, contradictions };
}

/**
 * Yields the missing contact details: street address, city, state or province, country, phone number, and email
 * address. A city, state, or country doesn't count as missing if it's part of the street address.
 */
function* gapsOf({
  address,
  city,
  state_province,
  country,
  phone,
  email,
}: Contact): Iterable<[field: string, what: string]> {
  const stated = [address, city].filter(part => part !== undefined).join(', ');
  const parts = stated === '' ? null : addressParts(stated, country ?? null);
  const where = country ?? parts?.country ?? null;
  if (!address) yield ['address', 'street address'];
  if (!city && !parts?.hasCity) yield ['city', 'city'];
  if (!where) yield ['country', 'country'];
  if (!state_province && !(parts?.hasState ?? !needsState(where))) yield ['state_province', 'state or province'];
  if (!phone) yield ['phone', 'phone number'];
  if (!email) yield ['email', 'email address'];
}
