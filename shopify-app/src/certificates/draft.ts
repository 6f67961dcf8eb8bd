import {
  type CertificateContext,
  type CertificateKind,
  type CertificateRecord,
  type CertificateRequest,
  CertificateRequestSchema,
  ChildrensCertificateRequestSchema,
  type Contradiction,
  certificate,
  type InitialStatus,
  InvalidRequest,
  type Issue,
  initialStatus,
  kindOfRequest,
  type Warning,
} from '@compliance/core/entry';
import { certificateContext } from '@compliance/store';
import { z } from 'zod';
import type { IssuingContext } from './certificate-context.ts';
import { type MissingDetail, missingDetails } from './missing-details.ts';

/** Maximum length of form JSON, in characters. */
const MAX_TEXT = 200_000;

/** Placeholder for an unknown verification URL, shown only in drafts. */
const PLACEHOLDER_URL = 'https://not-set.invalid';

/** Completed fields of a certificate request. The field values might be invalid. */
export type Fields = { readonly [name: string]: unknown };

/** Certificate draft. */
export interface Draft {
  /** ID that the issued certificate will have. This ID ensures that the draft is issued only once. */
  readonly id: string;
  readonly fields: Fields;
  /** Whether the certifier, records custodian, or laboratory was copied from an earlier certificate. */
  readonly fromEarlier: boolean;
}

const draft = z.object({ id: z.uuid(), fields: z.record(z.string(), z.unknown()), fromEarlier: z.boolean() });

/** Parses a stored draft. Returns null if the product has no draft. */
export const readDraft = (kept: unknown): Draft | null => draft.safeParse(kept).data ?? null;

/**
 * Parses the fields that a form sends as JSON. Treats empty strings as missing fields. Ignores `supersedes` and
 * `attestation`, because a form can't set them.
 *
 * @returns the fields, or null if the text isn't a JSON object or is too long
 * @example readFields('{"product_info":{"name":"Helmet","sku":""}}') // { product_info: { name: 'Helmet' } }
 */
export function readFields(text: string): Fields | null {
  if (text.length > MAX_TEXT) return null;
  try {
    const read = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    const { attestation: _, supersedes: __, ...fields } = (filledIn(read) ?? {}) as Fields;
    return fields;
  } catch {
    return null;
  }
}

/** Removes empty strings and null values, and then any empty objects and lists. List entries keep their positions. */
function filledIn(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(entry => filledIn(entry) ?? {});
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = filledIn(inner);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Fields that only a Children's Product Certificate can have. */
const CHILDRENS_FIELDS = Object.keys(ChildrensCertificateRequestSchema.shape).filter(
  field => !Object.hasOwn(CertificateRequestSchema.shape, field),
);

/**
 * Returns the request body for a draft's fields. A draft keeps the details of a children's product if the merchant
 * changes the certificate type, but a General Certificate of Conformity can't contain these details.
 *
 * @example requestBody({ certificate_type: 'GCC', small_batch: { year: 2026 } }) // { certificate_type: 'GCC' }
 */
export function requestBody(fields: Fields): Fields {
  if (kindOfRequest(fields) === 'CPC') return fields;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !CHILDRENS_FIELDS.includes(field)));
}

/** Rule that a Children's Product Certificate is expected to cite, based on the facts in the draft. */
interface RuleExpectation {
  readonly citation: string;
  readonly subject: string;
  readonly cited: boolean;
}

/** Result of checking a draft. */
export interface Check {
  readonly kind: CertificateKind;
  /** Status that the certificate would have if it were issued now, or null while the draft has issues. */
  readonly status: InitialStatus | null;
  /** Problems that prevent the certificate from being issued, by field. */
  readonly issues: readonly Issue[];
  /** Warnings for the certifier. The list is empty while the draft has issues. */
  readonly warnings: readonly Warning[];
  /**
   * Legally required elements that are missing from the draft, or null while the draft has issues. The attestation is
   * never in this list, because the app adds it when the certificate is issued.
   */
  readonly missing: readonly MissingDetail[] | null;
  /** Values that can't be correct or that contradict each other. The list is empty while the draft has issues. */
  readonly contradictions: readonly Contradiction[];
  /**
   * Rules that the certificate is expected to cite, or null if the draft has issues, doesn't specify a product type,
   * or isn't for a children's product.
   */
  readonly expectedRules: readonly RuleExpectation[] | null;
}

/** Runs all checks that apply when a certificate is issued, except the attestation check. */
export function checkDraft(draft: Draft, context: Pick<IssuingContext, 'clock' | 'acceptedLabs'>): Check {
  const kind = kindOfRequest(draft.fields);
  try {
    const record = recordOfDraft(draft, { ...context, baseUrl: null });
    const isOther = ({ path }: { readonly path: string }) => path !== 'attestation';
    const missing = missingDetails(record).filter(isOther);
    const { warnings, completeness, childrens } = record;
    return {
      kind,
      status: statusOnceAttested(record, missing),
      issues: [],
      warnings: warnings.filter(isOther),
      missing,
      contradictions: completeness.contradictions,
      expectedRules:
        childrens?.expected_rules?.map(({ citation, subject, cited }) => ({
          ...{ citation, subject, cited: cited !== null },
        })) ?? null,
    };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return {
      ...{ kind, status: null, issues: error.issues, warnings: [], missing: null, contradictions: [] },
      expectedRules: null,
    };
  }
}

/** Placeholder attestation for predicting a draft's status. It's never part of a certificate. */
const PREDICTED_ATTESTATION = { attested_by: '', attested_at: '', text_version: '' };

/** Returns the status that a draft's certificate would have if the certifier attested to it. */
function statusOnceAttested(
  { request, completeness }: CertificateRecord,
  missing: readonly MissingDetail[],
): InitialStatus {
  const { contradictions } = completeness;
  return initialStatus({
    request: { ...request, attestation: PREDICTED_ATTESTATION },
    completeness: {
      status: missing.length + contradictions.length === 0 ? 'complete' : 'incomplete',
      ...{ missing: [...missing], contradictions },
    },
  });
}

/**
 * Returns a draft's certificate record. Without an attestation, the record is only a draft.
 *
 * @throws InvalidRequest if the fields are invalid
 */
const recordOfDraft = (
  draft: Draft,
  context: Pick<IssuingContext, 'baseUrl' | 'clock' | 'acceptedLabs'>,
): CertificateRecord => certificate(requestBody(draft.fields), previewContext(draft, context));

/**
 * Returns the context for checking or previewing a draft as a certificate. The context doesn't include the draft's
 * files.
 */
export const previewContext = (
  { id }: Pick<Draft, 'id'>,
  { baseUrl, clock, acceptedLabs }: Pick<IssuingContext, 'baseUrl' | 'clock' | 'acceptedLabs'>,
): CertificateContext => ({ ...certificateContext(baseUrl ?? PLACEHOLDER_URL, id, clock()), acceptedLabs });

/**
 * Returns the fields to copy to the next certificate: all except the attestation and the superseded certificate's ID.
 */
export function fieldsOf({ attestation: _, supersedes: __, ...fields }: CertificateRequest): Fields {
  return fields;
}
