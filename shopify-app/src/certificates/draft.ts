import {
  type CertificateRequest,
  certificate,
  InvalidRequest,
  type Issue,
  type MissingElement,
  type Warning,
} from '@compliance/core/entry';
import { certificateContext } from '@compliance/store';
import { z } from 'zod';

/** The longest text that a form may send, in characters. */
const MAX_TEXT = 200_000;

/** Stands where the address of the verifying service is not known yet. Only drafts show it. */
const NOWHERE = 'https://not-set.invalid';

/** Fields of the request of core, as far as they are filled in; what is in them may be wrong. */
export type Fields = { readonly [name: string]: unknown };

/** A certificate that is being written. */
export interface Draft {
  /** The number that the certificate will have, so that it can be issued once only. */
  readonly id: string;
  readonly fields: Fields;
  /** Whether who certifies, keeps the records and tests was taken from an earlier certificate. */
  readonly fromEarlier: boolean;
}

const draft = z.object({ id: z.uuid(), fields: z.record(z.string(), z.unknown()), fromEarlier: z.boolean() });

/** Reads what was kept of a draft; null when nothing was. */
export const readDraft = (kept: unknown): Draft | null => draft.safeParse(kept).data ?? null;

/**
 * Reads the fields that a form sends as JSON. Empty texts are fields that are not filled in. The certificate that this one
 * replaces and the attestation are not the form's to say.
 *
 * @returns null when the text is no JSON object, or too long
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

/** The same without empty texts, and without objects and lists in which nothing is left. Entries of lists keep their place. */
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

/** How a draft stands. */
export interface Check {
  /** What keeps it from being issued, by field. */
  readonly issues: readonly Issue[];
  /** What a careful reviewer would ask about. None are known while there are issues. */
  readonly warnings: readonly Warning[];
  /** What 16 CFR 1110.11 asks for and is not there; null while there are issues. The attestation comes with issuing. */
  readonly missing: readonly MissingElement[] | null;
}

/** Looks a draft over as issuing will, but for the attestation. */
export function checkDraft({ id, fields }: Draft, now: number): Check {
  try {
    const { warnings, completeness } = certificate(fields, certificateContext(NOWHERE, id, now));
    const isOther = ({ path }: { readonly path: string }) => path !== 'attestation';
    return { issues: [], warnings: warnings.filter(isOther), missing: completeness.missing.filter(isOther) };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { issues: error.issues, warnings: [], missing: null };
  }
}

/** The record that a preview is drawn from. Nobody has attested to it, so it says DRAFT. @throws InvalidRequest */
export const recordOfDraft = ({ id, fields }: Draft, baseUrl: string | null, now: number) =>
  certificate(fields, certificateContext(baseUrl ?? NOWHERE, id, now));

/** What of a certificate may stand in the next one too: everything but its own attestation and what it replaced. */
export function fieldsOf({ attestation: _, supersedes: __, ...fields }: CertificateRequest): Fields {
  return fields;
}
