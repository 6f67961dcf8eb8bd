import {
  type CertificateRequest,
  type Contradiction,
  certificate,
  InvalidRequest,
  type Issue,
  type MissingElement,
  type Warning,
} from '@compliance/core/entry';
import { certificateContext } from '@compliance/store';
import { z } from 'zod';

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
  /** Whether the certifier, records custodian, and laboratory were copied from an earlier certificate. */
  readonly fromEarlier: boolean;
}

const draft = z.object({ id: z.uuid(), fields: z.record(z.string(), z.unknown()), fromEarlier: z.boolean() });

/** Parses a stored draft. Returns null if the product has no draft. */
export const readDraft = (kept: unknown): Draft | null => draft.safeParse(kept).data ?? null;

/**
 * Parses the fields that a form sends as JSON. Treats empty strings as missing fields. Ignores the superseded
 * certificate and the attestation, because a form can't set them.
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

/** Removes empty strings and then any empty objects and lists. List entries keep their positions. */
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

/** Result of checking a draft. */
export interface Check {
  /** Problems that prevent the certificate from being issued, by field. */
  readonly issues: readonly Issue[];
  /** Warnings for the certifier. The list is empty while the draft has issues. */
  readonly warnings: readonly Warning[];
  /**
   * Elements required by 16 CFR 1110.11 that are missing from the draft, or null while the draft has issues. The
   * attestation is never in this list, because the app adds it when the certificate is issued.
   */
  readonly missing: readonly MissingElement[] | null;
  /** Statements that can't be correct. The list is empty while the draft has issues. */
  readonly contradictions: readonly Contradiction[];
}

/** Runs all checks that apply when a certificate is issued, except the attestation check. */
export function checkDraft({ id, fields }: Draft, now: number): Check {
  try {
    const { warnings, completeness } = certificate(fields, certificateContext(PLACEHOLDER_URL, id, now));
    const isOther = ({ path }: { readonly path: string }) => path !== 'attestation';
    return {
      issues: [],
      warnings: warnings.filter(isOther),
      missing: completeness.missing.filter(isOther),
      contradictions: completeness.contradictions,
    };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { issues: error.issues, warnings: [], missing: null, contradictions: [] };
  }
}

/**
 * Returns the certificate record for a preview. The record lacks an attestation, so the PDF is marked DRAFT.
 *
 * @throws InvalidRequest if the fields are invalid
 */
export const recordOfDraft = ({ id, fields }: Draft, baseUrl: string | null, now: number) =>
  certificate(fields, certificateContext(baseUrl ?? PLACEHOLDER_URL, id, now));

/**
 * Returns the fields to copy to the next certificate: all except the attestation and the superseded certificate's ID.
 */
export function fieldsOf({ attestation: _, supersedes: __, ...fields }: CertificateRequest): Fields {
  return fields;
}
