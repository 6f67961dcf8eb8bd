import { addChildrensWarnings, CHILDRENS_WARNING_CODES } from '../childrens/warnings.ts';
import { catalog } from '../citations/catalog.ts';
import { resolveCitation } from '../citations/resolve.ts';
import { splitCitations } from '../citations/split.ts';
import { isCountry } from '../places/places.ts';
import { suggestsChildren } from '../request/age.ts';
import { gradeAge } from '../request/age-grading.ts';
import { needsTest } from '../request/rules.ts';
import { textsOf } from '../request/text.ts';
import { describingTexts } from '../request/variants.ts';
import { uncoveredCharacters } from '../text/coverage.ts';
import type { Completeness } from './completeness.ts';
import type { RecordFacts } from './facts.ts';

/**
 * All warning codes. A warning never prevents a certificate from being created. The PDF shows a notice in place of each
 * missing value.
 */
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
  'SEVERAL_RULES',
  'EXCLUSION_UNCONFIRMED',
  'TEST_DATE_OLD_REVIEW',
  'PLACE_NO_COUNTRY',
  'NOT_IN_ENGLISH',
  'UNSUPPORTED_CHARACTER',
  'DRAFT_CANNOT_SUPERSEDE',
  'PERIODIC_TEST_DUE',
  ...CHILDRENS_WARNING_CODES,
] as const;

/** One of {@link WARNING_CODES}. */
export type WarningCode = (typeof WARNING_CODES)[number];

/**
 * A missing legally required element or a questionable value, with the field's dotted path, a message, and the legal
 * provision. The provision is null if the warning is based only on our own conventions.
 */
export interface Warning {
  code: WarningCode;
  path: string;
  message: string;
  citation: string | null;
}

type Add = (code: WarningCode, path: string, message: string, citation: string | null) => void;

/** Returns a warning for each missing or questionable value. */
export function warningsOf(record: RecordFacts, completeness: Completeness, today: string): Warning[] {
  const warnings: Warning[] = [];
  const add: Add = (code, path, message, citation) => warnings.push({ code, path, message, citation });
  aboutProduct(record, add);
  aboutRules(record, add);
  aboutParties(record, add);
  aboutTests(record, today, add);
  if (record.childrens && record.request.certificate_type === 'CPC')
    addChildrensWarnings(record.request, record.childrens, record.rules, add);
  if (!record.request.attestation) {
    add('NO_ATTESTATION', 'attestation', 'This certificate has no attestation yet.', '16 CFR 1110.11(a)(7)');
  }
  aboutTexts(record, add);
  const { supersedes } = record.request;
  if (supersedes !== undefined && completeness.status === 'incomplete') {
    add(
      'DRAFT_CANNOT_SUPERSEDE',
      'supersedes',
      `Only a complete certificate can supersede another one, so certificate ${supersedes} remains unchanged. To supersede that certificate, provide the missing elements, correct the contradictions, and issue this certificate again.`,
      null,
    );
  }
  return warnings;
}

function aboutProduct({ request, childrens, country_of_manufacture }: RecordFacts, add: Add): void {
  for (const [path, text] of childrens ? [] : describingTexts(request.product_info)) {
    if (suggestsChildren(text)) {
      add(
        'POSSIBLE_CHILDRENS_PRODUCT',
        path,
        'This looks like a children’s product. Products designed primarily for children 12 or younger need a Children’s Product Certificate instead.',
        '15 U.S.C. 2063(a)(2)',
      );
    }
  }
  const grading = !childrens && request.age_grading ? gradeAge(request) : null;
  if (grading?.separate === 'CPC') {
    add(
      'SEPARATE_CERTIFICATE',
      'age_grading.sold_with_other_audience',
      'This certificate doesn’t cover the children’s product in the set. If a rule applies to that product, issue a separate Children’s Product Certificate for it.',
      '15 U.S.C. 2063(a)(2)',
    );
  }
  if (grading?.decision === 'undetermined') {
    add(
      'POSSIBLE_CHILDRENS_PRODUCT',
      'age_grading',
      'These facts don’t determine whether the product is primarily for children 12 or younger. If it is, it needs a Children’s Product Certificate instead.',
      '16 CFR 1200.2',
    );
  }
  if (country_of_manufacture === null) {
    add(
      'PLACE_NO_COUNTRY',
      'product_info.place_of_manufacture',
      'The place of manufacture doesn’t clearly name a country. Add the country name at the end.',
      '16 CFR 1110.11(a)(5)',
    );
  }
}

function aboutRules({ request, rules, childrens }: RecordFacts, add: Add): void {
  for (const [at, text] of request.cpsc_rules_cited.entries()) {
    const { ambiguous } = splitCitations(text);
    if (ambiguous.length > 0) {
      add(
        'SEVERAL_RULES',
        `cpsc_rules_cited.${at}`,
        `This text seems to name several rules. Enter each rule separately: ${ambiguous.join(', ')}.`,
        '16 CFR 1110.11(a)(2)',
      );
    }
  }
  const seen = new Map<string, number>();
  for (const rule of rules) {
    const path = `cpsc_rules_cited.${rule.entry}`;
    const key = `${rule.citation} ${rule.detail}`.toLowerCase();
    const first = seen.get(key);
    if (first !== undefined)
      add('DUPLICATE_RULE', path, `This citation refers to the same rule as cpsc_rules_cited.${first}.`, null);
    else seen.set(key, rule.entry);
    const known = catalog.rules.find(({ citation }) => citation === rule.citation);
    if (rule.standing === 'unknown' || !known) {
      const { candidates } = resolveCitation(rule.as_cited);
      const hint =
        candidates.length > 0
          ? ` This citation could refer to ${candidates.join(' or ')}. Cite the rule that applies.`
          : '';
      add('UNKNOWN_RULE', path, `This rule isn’t in our catalog, which is incomplete.${hint}`, '16 CFR 1110.11(a)(2)');
    } else if (known.role !== 'rule') {
      add('NOT_A_CERTIFIABLE_RULE', path, NOT_CERTIFIABLE[known.role], '16 CFR 1110.11(a)(2)');
    }
    if (rule.exclusion && known?.role === 'rule' && !known.test_exclusions) {
      add(
        'EXCLUSION_UNCONFIRMED',
        path,
        `Our catalog, which is incomplete, has no testing exclusion for ${rule.citation}. Make sure that the stated basis excludes this product from testing.`,
        '16 CFR 1110.11(c)',
      );
    }
    if (known?.children_only && !childrens) {
      add(
        'CHILDRENS_RULE_CITED',
        path,
        `${rule.citation} applies only to children’s products, which need a Children’s Product Certificate instead of a GCC.`,
        '15 U.S.C. 2063(a)(2)',
      );
    }
  }
}

const NOT_CERTIFIABLE = {
  process: 'This is a procedural or labeling rule. Cite the safety rules that the product meets.',
  category_ban: 'The whole product category is banned, so no certificate can cite this rule.',
  not_listed: 'This rule isn’t on CPSC’s lists of rules that require a certificate.',
} as const;

function aboutParties(
  { request, certifying_party: party, country_of_manufacture: country }: RecordFacts,
  add: Add,
): void {
  if (!party) {
    add('NO_CERTIFIER', 'certifier', 'The certificate doesn’t name a certifier.', '16 CFR 1110.11(a)(3)');
  }
  if (country !== 'US' && party?.role !== 'importer') {
    const where = country === null ? 'If the product is imported, ' : 'The product is made outside the U.S., so ';
    add(
      'IMPORTED_CERTIFIER_MUST_BE_IMPORTER',
      party ? 'certifier.role' : 'certifier',
      `${where}the importer of record must issue the certificate. A foreign manufacturer can’t issue the certificate.`,
      '16 CFR 1110.7(a)',
    );
  }
  if (!request.records_contact?.phone) {
    add(
      'NO_RECORDS_CONTACT_PHONE',
      request.records_contact ? 'records_contact.phone' : 'records_contact',
      'The records custodian’s phone number is missing.',
      '16 CFR 1110.11(a)(4)',
    );
  }
  for (const field of ['certifier', 'records_contact', 'manufacturer', 'testing_lab'] as const) {
    const code = request[field]?.country;
    if (code && !isCountry(code)) {
      add('PLACE_NO_COUNTRY', `${field}.country`, `${code} isn’t an ISO 3166-1 country code.`, '16 CFR 1110.11(a)');
    }
  }
}

const A_YEAR = 366 * 86_400_000;

function aboutTests({ request, rules, childrens }: RecordFacts, today: string, add: Add): void {
  const needed = rules.filter(needsTest);
  if (needed.length === 0) return;
  if (!request.testing_lab?.address) {
    add('NO_LAB_ADDRESS', 'testing_lab.address', 'The testing lab’s address is missing.', '16 CFR 1110.11(a)(6)');
  }
  if (rules.length > 1 && needed.some(rule => rule.tests.length === 0)) {
    add(
      'NO_PER_RULE_TESTS',
      'tests',
      'For some rules, the lab and test date aren’t specified separately.',
      '16 CFR 1110.11(a)(6)',
    );
  }
  const dates: [string, string | undefined][] = [
    ['testing_lab.test_date', request.testing_lab?.test_date],
    ...(request.tests ?? []).map((test, at): [string, string] => [`tests.${at}.test_date`, test.test_date]),
  ];
  for (const [path, date] of dates) {
    if (date === undefined || Date.parse(today) - Date.parse(date) <= A_YEAR) continue;
    if (childrens) {
      add(
        'PERIODIC_TEST_DUE',
        path,
        'The test is more than a year old. If production continues, a CPSC-accepted laboratory must test the product at least once a year, every two years with a production testing plan, or every three years with continued testing by an ISO/IEC 17025 laboratory.',
        '16 CFR 1107.21',
      );
    } else {
      add(
        'TEST_DATE_OLD_REVIEW',
        path,
        'The test is more than a year old. The law doesn’t limit how old a test can be, but you must cite the most recent test, and reviewers might ask about its age.',
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
        'Required content must be in English. You can also provide it in other languages.',
        '16 CFR 1110.9(a)',
      );
    }
    const gaps = uncoveredCharacters(value).map(
      character => `U+${character.codePointAt(0)!.toString(16).toUpperCase()}`,
    );
    if (gaps.length > 0) {
      const shown = gaps.slice(0, 5).join(', ') + (gaps.length > 5 ? ` and ${gaps.length - 5} more` : '');
      add(
        'UNSUPPORTED_CHARACTER',
        path,
        `No font supports ${shown}. Each unsupported character is printed as its code point in brackets.`,
        null,
      );
    }
  }
}
