import { catalogue } from '../citations/catalogue.ts';
import { resolveCitation } from '../citations/resolve.ts';
import { uncoveredCharacters } from '../text/coverage.ts';
import type { RecordFacts } from './facts.ts';
import { isCountry } from './places.ts';

/** Every warning there is. A warning never refuses: the certificate is made, and the gap is printed where it is. */
export const WARNING_CODES = [
  'NO_CERTIFIER',
  'IMPORTED_CERTIFIER_MUST_BE_IMPORTER',
  'NO_RECORDS_CONTACT_PHONE',
  'NO_LAB_ADDRESS',
  'NO_PER_RULE_TESTS',
  'NO_ATTESTATION',
  'CHILDRENS_RULE_CITED',
  'POSSIBLE_CHILDRENS_PRODUCT',
  'UNKNOWN_RULE',
  'NOT_A_CERTIFIABLE_RULE',
  'DUPLICATE_RULE',
  'TEST_DATE_OLD_REVIEW',
  'PLACE_NO_COUNTRY',
  'NOT_IN_ENGLISH',
  'UNSUPPORTED_CHARACTER',
] as const;

/** One of {@link WARNING_CODES}. */
export type WarningCode = (typeof WARNING_CODES)[number];

/** A legal gap or a doubt: which field (dotted path), what, and the provision behind it (null for our own conventions). */
export interface Warning {
  code: WarningCode;
  path: string;
  message: string;
  citation: string | null;
}

type Add = (code: WarningCode, path: string, message: string, citation: string | null) => void;

/** Everything about a record that a careful reviewer would ask about, in the order of the certificate's headings. */
export function warningsOf(record: RecordFacts, today: string): Warning[] {
  const warnings: Warning[] = [];
  const add: Add = (code, path, message, citation) => warnings.push({ code, path, message, citation });
  aboutProduct(record, add);
  aboutRules(record, add);
  aboutParties(record, add);
  aboutTests(record, today, add);
  if (!record.request.attestation) {
    add('NO_ATTESTATION', 'attestation', 'Nobody has attested to this certificate yet.', '16 CFR 1110.11(a)(7)');
  }
  aboutTexts(record, add);
  return warnings;
}

const CHILDREN =
  /\b(?:child(?:ren)?|kids?|toddlers?|infants?|bab(?:y|ies)|newborns?|juvenile|toys?|boys?|girls?|nursery|teethers?)\b(?![\s-]*(?:resistan|proof|safe|lock))/i;

function aboutProduct({ request: { product_info }, country_of_manufacture }: RecordFacts, add: Add): void {
  for (const field of ['name', 'description'] as const) {
    if (CHILDREN.test(product_info[field] ?? '')) {
      add(
        'POSSIBLE_CHILDRENS_PRODUCT',
        `product_info.${field}`,
        'This reads like a children’s product. One made primarily for children of 12 or younger needs a Children’s Product Certificate instead.',
        '15 U.S.C. 2063(a)(2)',
      );
    }
  }
  if (country_of_manufacture === null) {
    add(
      'PLACE_NO_COUNTRY',
      'product_info.place_of_manufacture',
      'The country of manufacture is not certain from this place. End it with the country’s name.',
      '16 CFR 1110.11(a)(5)',
    );
  }
}

function aboutRules({ rules }: RecordFacts, add: Add): void {
  const seen = new Map<string, number>();
  for (const [at, rule] of rules.entries()) {
    const path = `cpsc_rules_cited.${at}`;
    const key = `${rule.citation} ${rule.detail}`.toLowerCase();
    const first = seen.get(key);
    if (first !== undefined) add('DUPLICATE_RULE', path, `This is the same rule as cpsc_rules_cited.${first}.`, null);
    else seen.set(key, at);
    const known = catalogue.rules.find(({ citation }) => citation === rule.citation);
    if (rule.standing === 'unknown' || !known) {
      const { candidates } = resolveCitation(rule.as_cited);
      const hint = candidates.length > 0 ? ` It may mean ${candidates.join(' or ')}: cite the one that applies.` : '';
      add(
        'UNKNOWN_RULE',
        path,
        `This is not a rule in our catalogue, which is not complete.${hint}`,
        '16 CFR 1110.11(a)(2)',
      );
    } else if (known.role !== 'rule') {
      add('NOT_A_CERTIFIABLE_RULE', path, NOT_CERTIFIABLE[known.role], '16 CFR 1110.11(a)(2)');
    }
    if (known?.children_only) {
      add(
        'CHILDRENS_RULE_CITED',
        path,
        `${rule.citation} applies to children’s products alone. They need a Children’s Product Certificate, not this one.`,
        '15 U.S.C. 2063(a)(2)',
      );
    }
  }
}

const NOT_CERTIFIABLE = {
  process: 'This is a rule of procedure or labeling. Cite the safety rules that the product meets.',
  category_ban: 'The whole category is banned. There is nothing to certify to.',
  not_listed: 'CPSC’s lists of rules that need a certificate do not name it.',
} as const;

function aboutParties(
  { request, certifying_party: party, country_of_manufacture: country }: RecordFacts,
  add: Add,
): void {
  if (!party) {
    add('NO_CERTIFIER', 'certifier', 'The certificate does not say who certifies.', '16 CFR 1110.11(a)(3)');
  }
  if (country !== 'US' && party?.role !== 'importer') {
    const where = country === null ? 'If the product is imported, ' : 'The product is made outside the US: ';
    add(
      'IMPORTED_CERTIFIER_MUST_BE_IMPORTER',
      party ? 'certifier.role' : 'certifier',
      `${where}the importer of record must issue the certificate. A foreign manufacturer cannot.`,
      '16 CFR 1110.7(a)',
    );
  }
  if (!request.records_contact?.phone) {
    add(
      'NO_RECORDS_CONTACT_PHONE',
      request.records_contact ? 'records_contact.phone' : 'records_contact',
      'The keeper of the test records needs a telephone number.',
      '16 CFR 1110.11(a)(4)',
    );
  }
  for (const field of ['certifier', 'records_contact', 'manufacturer', 'testing_lab'] as const) {
    const code = request[field]?.country;
    if (code && !isCountry(code)) {
      add('PLACE_NO_COUNTRY', `${field}.country`, `${code} is not an ISO 3166-1 country code.`, '16 CFR 1110.11(a)');
    }
  }
}

const A_YEAR = 366 * 86_400_000;

function aboutTests({ request, rules }: RecordFacts, today: string, add: Add): void {
  const needed = rules.filter(rule => !rule.exclusion);
  if (needed.length === 0) return;
  if (!request.testing_lab.address) {
    add('NO_LAB_ADDRESS', 'testing_lab.address', 'The place of testing has no address.', '16 CFR 1110.11(a)(6)');
  }
  if (rules.length > 1 && needed.some(rule => rule.tests.length === 0)) {
    add(
      'NO_PER_RULE_TESTS',
      'tests',
      'Not every rule has its own test: one date stands for all of them.',
      '16 CFR 1110.11(a)(6)',
    );
  }
  const dates: [string, string][] = (request.tests ?? []).map((test, at) => [`tests.${at}.test_date`, test.test_date]);
  for (const [path, date] of [['testing_lab.test_date', request.testing_lab.test_date] as [string, string], ...dates]) {
    if (Date.parse(today) - Date.parse(date) > A_YEAR) {
      add(
        'TEST_DATE_OLD_REVIEW',
        path,
        'The test is more than a year old. No limit applies to it by law, but it must be the most recent one, and reviewers ask.',
        '16 CFR 1110.11(a)(6)',
      );
    }
  }
}

const FOREIGN_LETTER = /(?!\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u;

function aboutTexts({ request }: RecordFacts, add: Add): void {
  for (const [path, value] of textsOf(request, '')) {
    if (FOREIGN_LETTER.test(value)) {
      add(
        'NOT_IN_ENGLISH',
        path,
        'All required content must be in English; other languages may be added.',
        '16 CFR 1110.9(a)',
      );
    }
    const gaps = uncoveredCharacters(value).map(
      character => `U+${character.codePointAt(0)!.toString(16).toUpperCase()}`,
    );
    if (gaps.length > 0) {
      const shown = gaps.slice(0, 5).join(', ') + (gaps.length > 5 ? ` and ${gaps.length - 5} more` : '');
      add('UNSUPPORTED_CHARACTER', path, `No font draws ${shown}: the code is printed in brackets instead.`, null);
    }
  }
}

/** Every text of a request with its dotted path. */
export function* textsOf(value: unknown, path: string): Iterable<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, path ? `${path}.${key}` : key);
  }
}
