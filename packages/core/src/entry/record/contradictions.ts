import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { addChildrensContradictions, CHILDRENS_CONTRADICTION_CODES } from '../childrens/contradictions.ts';
import { catalog } from '../citations/catalog.ts';
import { resolveCitation } from '../citations/resolve.ts';
import { splitCitations } from '../citations/split.ts';
import { countryName, countryOf } from '../places/places.ts';
import { ageGroupIn, OLDEST_CHILD } from '../request/age.ts';
import { gradeAge } from '../request/age-grading.ts';
import { componentsOf } from '../request/parse.ts';
import { periodOf, printedDate } from '../request/period.ts';
import type { CertificateRequest } from '../request/schema.ts';
import { textsOf } from '../request/text.ts';
import { describingTexts, productVariants } from '../request/variants.ts';
import type { RecordFacts } from './facts.ts';
import { fieldName } from './field-name.ts';

/** All contradiction codes. */
export const CONTRADICTION_CODES = [
  'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
  'CERTIFIER_NOT_DOMESTIC',
  'NO_CERTIFIABLE_RULE',
  'CHILDRENS_RULE_ON_GCC',
  'CHILDRENS_AGE_ON_GCC',
  'EXCLUSION_WITHOUT_PROVISION',
  'ATTESTED_BEFORE_TEST',
  'ATTESTED_BEFORE_PRODUCTION',
  'PRODUCTION_DATES_CONTRADICT',
  'PLACEHOLDER_TEXT',
  'IMPOSSIBLE_PHONE',
  'WRONG_CHECK_DIGIT',
  ...CHILDRENS_CONTRADICTION_CODES,
] as const;

/** One of {@link CONTRADICTION_CODES}. */
export type ContradictionCode = (typeof CONTRADICTION_CODES)[number];

/**
 * A value that can't meet the legal requirements, or two values that contradict each other. The certificate is still
 * created but isn't complete.
 */
export interface Contradiction {
  code: ContradictionCode;
  path: string;
  message: string;
  citation: string;
}

type Add = (code: ContradictionCode, path: string, message: string, paragraph: string) => void;

/**
 * Lists the contradictions in a record. Source: 16 CFR 1110.7 and 1110.11, and 15 U.S.C. 2063.
 *
 * @example contradictionsOf(record)[0]?.code // 'PLACEHOLDER_TEXT'
 */
export function contradictionsOf(record: RecordFacts): Contradiction[] {
  const found: Contradiction[] = [];
  const add: Add = (code, path, message, citation) => found.push({ code, path, message, citation });
  inProduct(record.request, add);
  inAudience(record.request, add);
  inRules(record, add);
  inExclusions(record, add);
  inCertifier(record, add);
  inAttestation(record.request, add);
  inTexts(record.request, add);
  inPhones(record.request, add);
  if (record.childrens && record.request.certificate_type === 'CPC')
    addChildrensContradictions(record.request, record.childrens, record.rules, add);
  return found;
}

function inProduct({ product_info: product }: CertificateRequest, add: Add): void {
  const items = [['product_info', product], ...productVariants(product)] as const;
  for (const [path, item] of items) {
    for (const field of ['gtin', 'upc'] as const) {
      const number = item[field];
      if (number === undefined || hasCheckDigit(number)) continue;
      const name = field.toUpperCase();
      add(
        'WRONG_CHECK_DIGIT',
        `${path}.${field}`,
        `The check digit (the last digit) of this ${name} is incorrect. Compare the number with the ${name} on the label.`,
        '16 CFR 1110.11(a)(1)',
      );
    }
  }
  const made = periodOf(product.date_of_manufacture);
  const { production_start: start, production_end: end } = product;
  // Months that overlap with the production dates don't contradict them.
  if (
    (start !== undefined && made.last < periodOf(start).first) ||
    (end !== undefined && made.first > periodOf(end).last)
  ) {
    add(
      'PRODUCTION_DATES_CONTRADICT',
      'product_info.date_of_manufacture',
      'The date of manufacture isn’t within the production dates. If production spans several days, enter the first day.',
      '16 CFR 1110.11(a)(5)',
    );
  }
}

/** Reports ages and other facts in a general certificate that indicate a children's product. */
function inAudience(request: CertificateRequest, add: Add): void {
  if (request.certificate_type === 'CPC') return;
  for (const [path, text] of describingTexts(request.product_info)) {
    const age = ageGroupIn(text);
    if (age && age.to <= OLDEST_CHILD) {
      add(
        'CHILDRENS_AGE_ON_GCC',
        path,
        `“${age.text}” indicates that the product is for children 12 or younger. Children’s products need a Children’s Product Certificate instead of a GCC.`,
        '16 CFR 1200.2(a)',
      );
    }
  }
  if (request.age_grading && gradeAge(request).decision === 'CPC') {
    add(
      'CHILDRENS_AGE_ON_GCC',
      'age_grading',
      'These facts describe a product for children 12 or younger. Children’s products need a Children’s Product Certificate instead of a GCC.',
      '16 CFR 1200.2(a)',
    );
  }
}

/** Returns whether a GTIN's last digit is its correct GS1 check digit. */
function hasCheckDigit(gtin: string): boolean {
  const digits = Array.from(gtin, Number).reverse();
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 1 ? 3 : 1), 0) % 10 === 0;
}

/** Matches a legal provision, such as 16 CFR 1610.1(d), 81 FR 12587, or § 1610.1. */
const PROVISION =
  /\d\s*(?:c\.?\s?f\.?\s?r|u\.?\s?s\.?\s?c|f\.?\s?r|fed\.?\s?reg)\b|(?:§|\bsection|\bpart)\s*\d|\b1\d{3}\.\d/i;

function inExclusions({ request: { exclusions = [] }, childrens }: RecordFacts, add: Add): void {
  for (const [at, { rule, basis, code }] of exclusions.entries()) {
    // For children's products, an exclusion must name its provision, because CPSC lists exempt materials by provision.
    const known =
      !childrens && splitCitations(rule).citations.every(each => resolveCitation(each).rule?.test_exclusions);
    if (!known && code === undefined && !PROVISION.test(basis)) {
      add(
        'EXCLUSION_WITHOUT_PROVISION',
        `exclusions.${at}.basis`,
        'The basis doesn’t name the provision that excludes the product from testing, such as 16 CFR 1610.1(d).',
        '16 CFR 1110.11(c)',
      );
    }
  }
}

function inRules({ rules, childrens }: RecordFacts, add: Add): void {
  if (rules.every(({ role }) => role !== null && role !== 'rule')) {
    add(
      'NO_CERTIFIABLE_RULE',
      'cpsc_rules_cited',
      'None of the cited rules requires a certificate. Cite the safety rules that apply to the product.',
      '16 CFR 1110.11(a)(2)',
    );
  }
  for (const { citation, entry } of childrens ? [] : rules) {
    if (catalog.rules.find(rule => rule.citation === citation)?.children_only) {
      add(
        'CHILDRENS_RULE_ON_GCC',
        `cpsc_rules_cited.${entry}`,
        `${citation} applies only to children’s products, which need a Children’s Product Certificate instead of a GCC.`,
        '15 U.S.C. 2063(a)(2)',
      );
    }
  }
}

function inCertifier({ request: { certifier }, country_of_manufacture: country }: RecordFacts, add: Add): void {
  if (!certifier) return;
  const { role } = certifier;
  if (country !== null && country !== 'US' && role !== 'importer') {
    add(
      'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
      'certifier.role',
      `The product is made in ${countryName(country)}, so only the importer of record can certify the product.`,
      '16 CFR 1110.7(a)',
    );
  }
  if (country === 'US' && role === 'importer') {
    add(
      'CERTIFIER_ROLE_CONTRADICTS_ORIGIN',
      'certifier.role',
      'The product is made in the U.S., so only the manufacturer or the private labeler can certify the product.',
      '16 CFR 1110.7(b)',
    );
  }
  const home = countryOfParty(certifier);
  if (role === 'domestic_manufacturer' && home !== null && !US_CODES.includes(home)) {
    add(
      'CERTIFIER_NOT_DOMESTIC',
      'certifier.country',
      `A domestic manufacturer must be in the U.S., but this certifier is in ${countryName(home)}.`,
      '16 CFR 1110.7(b)',
    );
  }
}

/** ISO codes of the United States and the territories that the CPSA defines as a "State": 15 U.S.C. 2052(a)(17). */
const US_CODES = ['US', 'PR', 'VI', 'GU', 'AS', 'MP', 'UM'];

function inAttestation(request: CertificateRequest, add: Add): void {
  const { attestation, product_info, testing_lab, tests = [] } = request;
  const components = componentsOf(request);
  if (!attestation) return;
  const attested = lastDateOf(attestation.attested_at);
  const tested = [testing_lab?.test_date, ...[...tests, ...components].map(test => test.test_date)].filter(
    date => date !== undefined,
  );
  const lastTest = tested.sort().at(-1);
  if (lastTest !== undefined && attested < lastTest) {
    add(
      'ATTESTED_BEFORE_TEST',
      'attestation.attested_at',
      `The attestation is dated before the most recent test (${lastTest}). Attest again on or after that date.`,
      '16 CFR 1110.11(a)(7)',
    );
  }
  if (attested < periodOf(product_info.date_of_manufacture).first) {
    add(
      'ATTESTED_BEFORE_PRODUCTION',
      'attestation.attested_at',
      `The attestation is dated before the date of manufacture, ${printedDate(product_info.date_of_manufacture)}. Attest again after production starts.`,
      '16 CFR 1110.11(a)(7)',
    );
  }
}

/** Returns an instant's date in UTC+14, the time zone farthest ahead of UTC. */
function lastDateOf(instant: string): string {
  if (!instant.includes('T')) return instant;
  return new Date(Date.parse(instant) + 14 * 3_600_000).toISOString().slice(0, 10);
}

/** The 16 CFR 1110.11(a) paragraph that requires each text field, by field path. All other text fields are optional. */
const REQUIRED_TEXTS: readonly [path: RegExp, paragraph: number][] = [
  [/^product_info\.((variants\.\d+\.)?name|description)$/, 1],
  [/^product_info\.(variants\.\d+\.)?(model|sku|serial_number|registered_number|alternate_id)$/, 1],
  [/^cpsc_rules_cited\./, 2],
  [/^certifier\.(name|address|city|state_province)$/, 3],
  [/^records_contact\.(name|position|address|city|state_province)$/, 4],
  [/^(manufacturer\.(name|address|street|city|state_province)|product_info\.place_of_manufacture(_address)?)$/, 5],
  [/^(testing_lab|other_labs\.\d+)\.(name|address|city|state_province)$/, 6],
  [/^exclusions\.\d+\.basis$/, 6],
  [/^component_certificates\.\d+\.(component|issuer\.(name|address|city|state_province))$/, 6],
  [/^attestation\.(attested_by|title)$/, 7],
];

/**
 * Matches the path of an identifier. Identifiers are often short or repetitive, so an identifier counts as a
 * placeholder only if it states that there is no value.
 */
const IDENTIFIER = /\.(model|sku|serial_number|registered_number|alternate_id)$/;

function inTexts(request: CertificateRequest, add: Add): void {
  for (const [path, text] of textsOf(request, '')) {
    const [, paragraph] = REQUIRED_TEXTS.find(([pattern]) => pattern.test(path)) ?? [];
    if (paragraph === undefined) continue;
    if (isBlank(text) || (IDENTIFIER.test(path) ? ABSENT : PLACEHOLDER).test(text.trim()) || isRepeated(path, text)) {
      add(
        'PLACEHOLDER_TEXT',
        path,
        `${fieldName(path)}: “${text.slice(0, 40)}” looks like a placeholder. Enter the actual text, or omit the field.`,
        `16 CFR 1110.11(a)(${paragraph})`,
      );
    }
  }
}

/** Returns whether the text contains neither letters nor digits. */
const isBlank = (text: string) => !/[\p{L}\p{N}]/u.test(text);

/**
 * Returns whether the text consists of a single repeated character. Three uppercase letters can be an abbreviation,
 * such as AAA.
 */
const isRepeated = (path: string, text: string) =>
  !IDENTIFIER.test(path) && /^(.)\1{2,}$/u.test(text) && !/^[A-WYZ]{3}$/.test(text);

/** Matches text that indicates that a value is missing, such as `N/A`. */
const ABSENT =
  /^(n\W?a|not applicable|not available|none|nil|null|undefined|unknown|tb[acd]|to be (determined|confirmed|announced)|todo|pending)\.?$/i;

/** Matches the same text as `ABSENT`, and text that isn't meaningful as a name, an address, or a description. */
const PLACEHOLDER = new RegExp(
  `${ABSENT.source}|^(test(ing|er)?|sample|example|dummy|fake|demo|placeholder|lorem ipsum.*|asdf\\w*|qwert\\w*|foo|bar|foobar|abc|abcd?efg?|xx+|string|text|name|address|city|state|street|123+4?5?6?)\\.?$`,
  'i',
);

/** Party fields used to check a phone number. */
interface ContactParty {
  readonly phone?: string | undefined;
  readonly country?: string | undefined;
  readonly address?: string | undefined;
}

/** Returns the party's country, or null if neither the country nor the address names one. */
const countryOfParty = ({ country, address }: ContactParty): string | null =>
  country ?? (address ? countryOf(address) : null);

function inPhones(request: CertificateRequest, add: Add): void {
  const parties: [path: string, paragraph: number, party: ContactParty | undefined][] = [
    ['certifier', 3, request.certifier],
    ['records_contact', 4, request.records_contact],
    ['manufacturer', 5, request.manufacturer],
    ['testing_lab', 6, request.testing_lab],
  ];
  request.other_labs?.forEach((lab, at) => {
    parties.push([`other_labs.${at}`, 6, lab]);
  });
  for (const [at, { issuer }] of componentsOf(request).entries())
    parties.push([`component_certificates.${at}.issuer`, 6, issuer]);
  for (const [path, paragraph, party] of parties) {
    if (!party?.phone) continue;
    const country = countryOfParty(party);
    if (!isPossiblePhone(party.phone, country)) {
      add(
        'IMPOSSIBLE_PHONE',
        `${path}.phone`,
        `${fieldName(`${path}.phone`)}: This number isn’t valid. Enter the number with its country code, such as +1 503 555 0142.`,
        `16 CFR 1110.11(a)(${paragraph})`,
      );
    }
  }
}

/**
 * Returns whether text could be a valid phone number. A number without a country code is checked only if the country is
 * known.
 */
function isPossiblePhone(phone: string, country: string | null): boolean {
  const digits = phone.replace(/\D/g, '');
  const significant = digits.replace(/^0+/, '');
  if (significant.length < 5 || /^(\d)\1*$/.test(significant) || '01234567890123456789'.includes(digits)) return false;
  const parsed = parsePhoneNumberFromString(phone, country ? { defaultCountry: country as never } : {});
  if (parsed) return parsed.isPossible();
  return !phone.trim().startsWith('+') && country === null;
}
