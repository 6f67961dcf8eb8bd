import { attestationText } from '../attestation/texts.ts';
import { certificateKind, KINDS } from '../kinds/kinds.ts';
import { countryName } from '../places/places.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import { fieldName } from '../record/field-name.ts';
import { initialStatus } from '../record/status.ts';
import { readLogo } from '../request/logo.ts';
import { printedDate } from '../request/period.ts';
import { needsTest } from '../request/rules.ts';
import { isolate } from '../text/bidi.ts';
import { isMessage, type Message, type MessageText } from '../translations/messages.ts';
import { componentBlocks, labFields, productFields, testingColumn, toyFields } from './childrens.ts';
import {
  type ContentBlock,
  type DocumentContent,
  joined,
  optional,
  type PdfField,
  type PdfSection,
  required,
  type TableColumn,
} from './content.ts';

/**
 * Returns the content of a certificate PDF. The headings follow the order of CPSC's public form, because reviewers
 * expect that order. An eighth heading introduces the attestation required by 16 CFR 1110.11(a)(7).
 */
export function contentOf(record: CertificateRecord): DocumentContent & { attestation: PdfSection } {
  const { completeness, request } = record;
  const { title, law, headings } = KINDS[certificateKind(record)];
  return {
    id: record.id,
    language: request.language ?? null,
    title,
    subtitle: `Consumer Product Safety Act, section 14 (15 U.S.C. 2063) · ${law}`,
    product: request.product_info.name,
    reference: `Certificate ${request.certificate_number ?? record.id}`,
    logo: logo(record),
    header: [
      ...optional('Certificate no.', request.certificate_number, false),
      { label: 'Certificate ID', value: record.id },
      { label: 'Issued', value: `${record.issued_at.slice(0, 16).replace('T', ' ')} UTC` },
      ...optional(completeness.status === 'complete' ? 'Supersedes' : 'To supersede', request.supersedes, false),
      { label: 'Verify at', value: record.verification_url ?? { message: UNPUBLISHED } },
    ],
    notice: noticeOf(record),
    sections: [
      { heading: '1. Identification of the product covered by this certificate', blocks: product(record) },
      {
        heading: headings.rules,
        blocks: rules(record),
      },
      {
        heading: '3. Identification of the U.S. importer or domestic manufacturer certifying compliance of the product',
        blocks: certifier(record),
      },
      {
        heading: '4. Contact information for the individual maintaining records of test results',
        blocks: keeper(record),
      },
      { heading: '5. Date and place where this product was manufactured', blocks: manufacture(record) },
      {
        heading: '6. Date and place where this product was tested for compliance with the regulation(s) cited above',
        blocks: tests(record),
      },
      {
        heading: headings.labs,
        blocks: labs(record),
      },
    ],
    attestation: { heading: '8. Attestation', blocks: attestation(record) },
  };
}

/** Text that is printed instead of the verification URL if the certificate isn't published. */
const UNPUBLISHED: MessageText = 'Not published. This certificate can’t be verified online.';

/** Maximum number of fields to name in the notice. */
const FIELDS_IN_NOTICE = 4;

/**
 * Returns the status and notice to print on a certificate that isn't complete, or null if it's complete.
 */
function noticeOf(record: CertificateRecord): DocumentContent['notice'] {
  const {
    missing: { length: gaps },
    contradictions,
  } = record.completeness;
  if (initialStatus(record) === 'complete') return null;
  const source = record.childrens ? 'law' : '16 CFR 1110.11(a)';
  const status = initialStatus(record).toUpperCase();
  const found = contradictions.length;
  const fields = [...new Set(contradictions.map(({ path }) => fieldName(path)))];
  const more = fields.length - FIELDS_IN_NOTICE;
  const list = fields.slice(0, FIELDS_IN_NOTICE).join(', ') + (more > 0 ? `, and ${more} more` : '');
  const parts = [
    ...(gaps > 0 ? [`${gaps} ${gaps === 1 ? 'element' : 'elements'} required by ${source} not provided`] : []),
    ...(found > 0 ? [`${found} ${found === 1 ? 'statement' : 'statements'} to correct (${list})`] : []),
  ];
  return { status, text: `${status}. ${parts.join(', ')}. This is not a complete certificate.` };
}

interface Party {
  address?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  state_province?: string | undefined;
  postal_code?: string | undefined;
  country?: string | undefined;
}

/**
 * Formats an address on one line: the free-text address, followed by any other fields that aren't already part of the
 * line.
 */
function addressOf({ address, street, city, state_province, postal_code, country }: Party): string | null {
  const parts: string[] = [];
  for (const part of [address, street, city, state_province, postal_code, country && countryName(country)]) {
    if (part && !parts.some(earlier => holdsWords(earlier, part))) parts.push(part);
  }
  return parts.length > 0 ? joined(parts, ', ') : null;
}

/**
 * Returns whether `part` occurs in `whole` as one or more complete words. For example, York occurs in "York, PA" but
 * not in "Yorkshire".
 */
function holdsWords(whole: string, part: string): boolean {
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const around = [whole.slice(0, at).at(-1), whole[at + part.length]];
    if (!around.some(character => character && /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(character))) return true;
  }
  return false;
}

const contact = (party: Party & { phone?: string | undefined; email?: string | undefined }): PdfField[] => [
  { label: 'Address', value: addressOf(party) },
  { label: 'Telephone', value: party.phone ?? null, half: true },
  { label: 'Email', value: party.email ?? null, half: true },
];

function product(record: CertificateRecord): ContentBlock[] {
  const { product_info: product, efiling } = record.request;
  const identifiers = [
    ...optional('Model', product.model),
    ...optional('SKU', product.sku),
    ...optional('GTIN', product.gtin),
    ...optional('UPC', product.upc),
    ...optional('Serial number', product.serial_number),
    ...optional('Registered number', product.registered_number),
    ...optional('Other identifier', product.alternate_id),
  ];
  return [
    {
      kind: 'fields',
      fields: [
        { label: 'Product', value: product.name },
        { label: 'Description', value: product.description ?? null },
        ...(identifiers.length > 0 || product.variants ? identifiers : [required('Identifier', null)]),
        ...optional('Brand', product.brand),
        ...optional('Lot number', product.lot_number),
        ...productFields(record),
        ...optional('eFiling product', efiling?.product_id),
        ...optional('eFiling version', efiling?.version_id),
      ],
    },
    ...variantBlocks(product.variants),
  ];
}

/** Returns the table of variants, with a column for each field that at least one variant has. */
function variantBlocks(variants: CertificateRecord['request']['product_info']['variants'] = []): ContentBlock[] {
  if (variants.length === 0) return [];
  const fields = [
    { field: 'name', title: 'Variant', share: 34 },
    { field: 'model', title: 'Model', share: 20 },
    { field: 'sku', title: 'SKU', share: 20 },
    { field: 'gtin', title: 'GTIN', share: 18 },
    { field: 'upc', title: 'UPC', share: 16 },
  ] as const;
  const shown = fields.filter(({ field }) => variants.some(variant => variant[field] !== undefined));
  return [
    {
      kind: 'table',
      columns: [{ title: 'No.', share: 6 }, ...shown],
      rows: variants.map((variant, at) => [String(at + 1), ...shown.map(({ field }) => variant[field] ?? '–')]),
    },
  ];
}

function rules(record: CertificateRecord): ContentBlock[] {
  const { rules, request } = record;
  const excluded = rules.some(rule => rule.exclusion);
  const testing = testingColumn(record);
  const extra = (excluded ? 36 : 0) + (testing ? 28 : 0);
  const citation = testing ? 20 : excluded ? 24 : 30;
  const column = (title: MessageText, share: number): TableColumn => ({ title, share });
  const columns = [
    column('No.', 6),
    column('Citation', citation),
    column('Subject', 94 - citation - extra),
    ...(excluded ? [column('Testing exclusion claimed', 36)] : []),
    ...(testing ? [column('Third-party test', 28)] : []),
  ];
  const rows = rules.map((rule, at) => {
    const cited =
      rule.citation === rule.as_cited ? rule.citation : `${rule.citation} (cited as ${isolate(rule.as_cited)})`;
    const exclusion = rule.exclusion && joined([rule.exclusion.basis, rule.exclusion.code, rule.exclusion.part], ' · ');
    return [
      ...[String(at + 1), cited, rule.subject ?? '–'],
      ...(excluded ? [exclusion ?? '–'] : []),
      ...(testing ? [testing[at]!] : []),
    ];
  });
  const fields = [
    ...toyFields(record),
    ...optional(
      'eFiling codes',
      request.efiling?.citation_codes && joined(request.efiling.citation_codes, '; '),
      false,
    ),
  ];
  return [{ kind: 'table', columns, rows }, ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : [])];
}

const ROLES = {
  importer: 'Importer',
  domestic_manufacturer: 'Domestic manufacturer',
  private_labeler: 'Private labeler',
} as const;

function certifier({ certifying_party: party, request: { efiling } }: CertificateRecord): ContentBlock[] {
  if (!party) {
    return [
      {
        kind: 'paragraph',
        text: {
          message: 'Certifier: not stated. For imported products, the U.S. importer must certify (16 CFR 1110.7).',
        },
      },
      {
        kind: 'fields',
        fields: [
          { label: 'Name', value: null },
          ...contact({}),
          ...optional('eFiling certifier', efiling?.certifier_id),
        ],
      },
    ];
  }
  return [
    {
      kind: 'fields',
      fields: [
        { label: 'Name', value: party.name },
        { label: 'Certifies as', value: { message: ROLES[party.role] }, half: efiling?.certifier_id !== undefined },
        ...optional('eFiling certifier', efiling?.certifier_id),
        ...contact(party),
      ],
    },
  ];
}

function keeper({ request: { records_contact: keeper } }: CertificateRecord): ContentBlock[] {
  return [
    {
      kind: 'fields',
      fields: [
        ...(keeper?.name || !keeper?.position ? [required('Name', keeper?.name ?? null)] : []),
        ...optional('Position', keeper?.position, false),
        ...contact(keeper ?? {}),
      ],
    },
  ];
}

function manufacture({ request: { product_info: product, manufacturer } }: CertificateRecord): ContentBlock[] {
  const run = [product.production_start, product.production_end]
    .flatMap(date => date ?? [])
    .map(printedDate)
    .join(' to ');
  return [
    {
      kind: 'fields',
      fields: [
        { label: 'Date', value: printedDate(product.date_of_manufacture), half: true },
        ...optional('Production run', run || undefined),
        { label: 'Place', value: product.place_of_manufacture },
        ...optional('Place, address', product.place_of_manufacture_address, false),
        { label: 'Manufacturer', value: manufacturer.name },
        ...contact({ ...manufacturer, email: manufacturer.contact_email }),
      ],
    },
  ];
}

function tests(record: CertificateRecord): ContentBlock[] {
  const { rules, request } = record;
  const { testing_lab: lab, other_labs = [] } = request;
  const labs = [lab, ...other_labs];
  const rows = rules.flatMap((rule, at) =>
    rule.tests.map(test => [
      `${at + 1}`,
      joined([test.standard, test.component], ' · ') || rule.citation,
      test.test_date,
      labs[test.lab]?.name ?? '–',
      joined([test.report_id, test.report_url], ' · ') || '–',
    ]),
  );
  const needed = rules.some(needsTest);
  const untested = rules.flatMap((rule, at) => (rule.tests.length === 0 && needsTest(rule) ? [`${at + 1}`] : []));
  const latest = [lab?.test_date, ...rules.flatMap(rule => rule.tests.map(test => test.test_date))]
    .filter(date => date !== undefined)
    .sort()
    .at(-1);
  const fields: PdfField[] = [];
  if (latest !== undefined || needed) fields.push({ label: 'Latest test', value: latest ?? null, half: true });
  if (lab || needed) {
    fields.push({ label: 'Email', value: lab?.email ?? null, half: true });
    if (lab?.test_date !== undefined && lab.test_date !== latest) {
      fields.push({ label: 'Test date', value: lab.test_date });
    }
    fields.push({ label: 'Tested by', value: lab?.name ?? null }, { label: 'Place', value: addressOf(lab ?? {}) });
  }
  if (rules.length > 1 && untested.length > 0) {
    fields.push({
      label:
        untested.length === rules.length
          ? 'Tests by rule'
          : { message: 'Tests for rules {rules}', values: { rules: untested.join(', ') } },
      value: null,
    });
  }
  const table: ContentBlock = {
    kind: 'table',
    columns: [
      { title: 'Rule', share: 7 },
      { title: 'Standard or component', share: 25 },
      { title: 'Tested', share: 12 },
      { title: 'Laboratory', share: 24 },
      { title: 'Report', share: 32 },
    ],
    rows,
  };
  return [
    ...(needed ? [] : noTestReasons(rules).map(text => ({ kind: 'paragraph' as const, text }))),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, fields }] : []),
    ...(rows.length > 0 ? [table] : []),
    ...componentBlocks(record),
    ...attachmentBlocks(record),
  ];
}

/** Returns the table of attached files, with the hashes that link a printed certificate to its files. */
function attachmentBlocks({ attachments = [] }: CertificateRecord): ContentBlock[] {
  if (attachments.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: [
        { title: 'Attached file', share: 30 },
        { title: 'Size', share: 11 },
        { title: 'SHA-256', share: 59 },
      ],
      rows: attachments.map(({ filename, size, sha256 }) => [filename, `${Math.ceil(size / 1_000)} kB`, sha256]),
    },
  ];
}

/** Returns the reasons why a certificate lists no tests. Section 2 states the basis for each exclusion. */
function noTestReasons(rules: CertificateRecord['rules']): Message[] {
  const numbers = (which: (rule: CertificateRecord['rules'][number]) => boolean) =>
    rules.flatMap((rule, at) => (which(rule) ? [at + 1] : [])).join(', ');
  const excluded = numbers(({ exclusion }) => exclusion !== null);
  const without = numbers(({ exclusion }) => exclusion === null);
  if (without === '')
    return [
      { message: 'No test is required. A testing exclusion is claimed for each cited rule (16 CFR 1110.11(c)).' },
    ];
  const others: Message = {
    message: 'No certificate, and therefore no test, is required for these cited rules: {rules} (15 U.S.C. 2063(a)).',
    values: { rules: without },
  };
  if (excluded === '') return [others];
  const claimed: Message = {
    message: 'No test is required. A testing exclusion is claimed for these cited rules: {rules} (16 CFR 1110.11(c)).',
    values: { rules: excluded },
  };
  return [claimed, others];
}

function labs(record: CertificateRecord): ContentBlock[] {
  const { testing_lab, other_labs = [] } = record.request;
  if (!testing_lab && other_labs.length === 0 && !record.rules.some(needsTest)) {
    return [
      {
        kind: 'paragraph',
        text: {
          message:
            'None. This certificate doesn’t depend on third-party testing, because no test is required (see section 6).',
        },
      },
    ];
  }
  return [testing_lab, ...other_labs].flatMap((lab, at) =>
    lab ? [{ kind: 'fields', fields: [...labOf(lab), ...labFields(record, at)] }] : [],
  );
}

function labOf(lab: NonNullable<CertificateRecord['request']['other_labs']>[number]): PdfField[] {
  return [
    { label: lab.type === 'first_party' ? 'First party' : 'Laboratory', value: lab.name },
    ...contact(lab),
    ...optional('Accreditation', lab.accreditation_id),
    ...optional('CPSC lab ID', lab.cpsc_lab_id),
    ...optional('Reports', lab.report_ids && joined(lab.report_ids, ', '), lab.report_ids?.length === 1),
  ];
}

function logo({ request, certifying_party: party }: CertificateRecord): DocumentContent['logo'] {
  if (!request.logo) return null;
  const alt = request.logo.alt_text ?? `Logo of ${party?.name ?? request.manufacturer.name}`;
  return { ...readLogo(request.logo.image), alt };
}

function attestation({ request, attestation_version }: CertificateRecord): ContentBlock[] {
  const { attestation } = request;
  const { sentences } = attestationText(attestation_version)!;
  const words = sentences.map(text => ({
    kind: 'paragraph' as const,
    text: isMessage(text) ? { message: text } : text,
  }));
  if (!attestation) {
    return [
      ...words,
      {
        kind: 'paragraph',
        text: {
          message: 'Not attested. The text above becomes a statement only when the certifier attests to it.',
        },
      },
      { kind: 'fields', fields: [{ label: 'Attested by', value: null }] },
      ...signature(request),
    ];
  }
  const { attested_by, title, attested_at } = attestation;
  const time = attested_at.length > 10 ? attested_at.replace('T', ' ').replace(/Z$/, ' UTC') : attested_at;
  return [
    ...words,
    {
      kind: 'fields',
      fields: [
        { label: 'Attested by', value: attested_by },
        { label: 'Attested at', value: time, half: true },
        ...optional('Title', title, (title?.length ?? 0) < 30),
      ],
    },
    ...signature(request),
  ];
}

/** Returns the lines for a handwritten signature, with the signer's name and title if they're known. */
function signature({ signature_block: block, attestation }: CertificateRecord['request']): ContentBlock[] {
  if (!block) return [];
  const name = block.name ?? attestation?.attested_by;
  const title = block.title ?? (block.name === undefined ? attestation?.title : undefined);
  return [
    {
      kind: 'signature',
      fields: [
        { label: 'Signature', value: joined([name, title], ', ') || null },
        { label: 'Date', value: null },
      ],
    },
  ];
}
