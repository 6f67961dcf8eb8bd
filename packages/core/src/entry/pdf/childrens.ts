import type { ThirdPartyTesting } from '../childrens/facts.ts';
import type { LabStatus } from '../childrens/lab-list.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import { componentsOf } from '../request/parse.ts';
import { isolate } from '../text/bidi.ts';
import type { Message, MessageText } from '../translations/messages.ts';
import { type ContentBlock, joined, optional, type PdfField, required } from './content.ts';

/** Returns the ages and the small batch registration, which only a Children's Product Certificate shows. */
export function productFields({ request, childrens }: CertificateRecord): PdfField[] {
  if (!childrens || request.certificate_type !== 'CPC') return [];
  const { age_grading, small_batch: batch } = request;
  const ages = age_grading?.ages;
  return [
    ...optional('Ages', ages && agesOf(ages)),
    ...optional(
      'Small batch',
      batch && {
        message: 'CPSC registration {id}, {year}',
        values: { id: batch.registration_id, year: `${batch.year}` },
      },
    ),
  ];
}

function agesOf({ from_months: from, to_months: to }: { from_months: number; to_months?: number | undefined }): string {
  const count = (number: number, unit: string) => (number === 0 ? [] : [`${number} ${unit}${number === 1 ? '' : 's'}`]);
  const age = (months: number) =>
    [...count(Math.floor(months / 12), 'year'), ...count(months % 12, 'month')].join(' ') || 'birth';
  return to === undefined ? `${age(from)} and up` : `${age(from)} to ${age(to)}`;
}

/** Section 2 text for each third-party testing result. */
const TESTING: Readonly<Record<ThirdPartyTesting, MessageText>> = {
  accepted: 'By an accepted laboratory',
  scope_not_checked: 'By an accepted laboratory; its scope wasn’t checked',
  not_checked: 'Yes; acceptance wasn’t checked',
  not_accepted: 'Not provided',
  small_batch: 'Other test, small batch; registration wasn’t checked',
  excluded: 'Exclusion claimed',
  not_required: 'Not required by CPSC’s list',
  unknown: 'Unknown whether required',
};

/** Returns the section 2 text about each rule's third-party testing, or null for a general certificate. */
export const testingColumn = ({ childrens }: CertificateRecord): Message[] | null =>
  childrens?.third_party_testing.map(testing => ({ message: TESTING[testing] })) ?? null;

/** Returns the sections of ASTM F963, if the certificate is for a toy. */
export function toyFields({ request, rules }: CertificateRecord): PdfField[] {
  if (request.certificate_type !== 'CPC') return [];
  const { toy_standard: toys } = request;
  const isToy = rules.some(({ citation }) => citation === '16 CFR 1250');
  const sections = toys ? `${toys.edition}, sections ${toys.sections.join(', ')}` : null;
  return isToy || toys ? [required('Toy standard', sections)] : [];
}

const ACCEPTANCE: Readonly<Record<LabStatus, MessageText | null>> = {
  no_id: null,
  invalid_id: 'The CPSC lab ID isn’t valid.',
  not_checked: 'Not checked. No list of CPSC-accepted laboratories was supplied.',
  not_listed: 'Not on the supplied list of CPSC-accepted laboratories dated {date} ({source})',
  accepted: 'On the supplied list of CPSC-accepted laboratories dated {date} ({source})',
};

/** Returns the fields that describe a laboratory's CPSC acceptance, or no fields for a general certificate. */
export function labFields({ childrens }: CertificateRecord, at: number): PdfField[] {
  const lab = childrens?.labs[at];
  if (!childrens || !lab) return [];
  const message = ACCEPTANCE[lab.status];
  const { as_of: date = '', source = '' } = childrens.lab_list ?? {};
  return [
    ...(lab.status === 'no_id' ? [required('CPSC lab ID', null, true)] : []),
    ...optional('Acceptance', message === null ? undefined : { message, values: { date, source } }, false),
  ];
}

/** Returns the table of component certificates and test reports, which only a Children's Product Certificate has. */
export function componentBlocks({ request }: CertificateRecord): ContentBlock[] {
  const components = componentsOf(request);
  if (components.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: [
        { title: 'Component (16 CFR part 1109)', share: 30 },
        { title: 'Document', share: 22 },
        { title: 'Issued by', share: 48 },
      ],
      rows: components.map(({ component, kind, certificate_id, issuer }) => [
        component,
        {
          message: kind === 'certificate' ? 'Certificate {id}' : 'Test report {id}',
          values: { id: certificate_id === undefined ? '' : isolate(certificate_id) },
        },
        joined([issuer.name, issuer.address, issuer.phone, issuer.email], ', '),
      ]),
    },
  ];
}
