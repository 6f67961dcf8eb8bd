import {
  type CodeList,
  CodeListSchema,
  type EfilingExport,
  efilingPack,
  hasEnded,
  readRecord,
} from '@compliance/core/entry';
import { z } from 'zod';
import { sanitizeText } from '../lib/sanitize-text.ts';
import { translationFor } from '../translation/translation.ts';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';

/** Maximum size of a list of citation codes, in bytes. */
const MAX_CODES_BYTES = 64 * 1024;

// A disclaim message is for a product without a certificate.
const targetSchema = z.enum(['registry_csv', 'fedex_reference']);

/** Recipient of an issued certificate's eFiling data. */
export type CertificateTarget = z.output<typeof targetSchema>;

/**
 * Reason that no data was exported: the certificate was superseded or voided, or the uploaded file is too large, isn't
 * JSON in UTF-8, isn't a list of citation codes, or contains an invalid value. `path` is the path of that value.
 */
export type EfilingFault =
  | { readonly code: 'ended' | 'too_large' | 'not_json' | 'not_a_list' }
  | { readonly code: 'invalid_value'; readonly path: string };

/** An issued certificate's eFiling data for one target, or the reason that no data was exported. */
export interface EfilingResult {
  readonly certificate: string;
  readonly target: CertificateTarget;
  readonly fault: EfilingFault | null;
  /** The data, or its gaps. Null if there's a fault. */
  readonly data: Pick<EfilingExport, 'content' | 'filename' | 'gaps' | 'notes'> | null;
}

/**
 * Exports an issued certificate's eFiling data. If required values are missing, the export has no content, but lists each
 * missing value. Nothing is stored or filed.
 *
 * @param form untrusted `target` and, optionally, `codes`, a file with the merchant's list of citation codes
 * @param requested language of the messages, unless the merchant has chosen another language
 * @returns the result, or null if the target is invalid, or if the ID is unknown or belongs to another shop
 */
export async function exportEfilingData(
  context: IssuingContext,
  id: string,
  form: FormData,
  requested: string | null,
): Promise<EfilingResult | null> {
  const { data: target } = targetSchema.safeParse(form.get('target'));
  const certificate = target && (await ownCertificate(context, id));
  if (!certificate) return null;
  const result = { certificate: id, target, fault: null, data: null };
  if (hasEnded(certificate.status)) return { ...result, fault: { code: 'ended' } };
  const file = form.get('codes');
  const read = file instanceof Blob ? await readCodes(file) : { codes: null };
  if ('fault' in read) return { ...result, fault: read.fault };
  const shop = await context.merchant.shop.record();
  const translation = translationFor(shop?.settings.locale ?? requested);
  const [exported] = efilingPack(readRecord(certificate.record), { targets: [target], codes: read.codes, translation });
  const { content, filename, gaps, notes } = exported!;
  return { ...result, data: { content, filename, gaps, notes } };
}

/**
 * Reads an untrusted list of citation codes in the format of the command line's `--codes` file: JSON, in which lines that
 * start with `//` are comments.
 */
async function readCodes(file: Blob): Promise<{ readonly codes: CodeList } | { readonly fault: EfilingFault }> {
  if (file.size > MAX_CODES_BYTES) return { fault: { code: 'too_large' } };
  const json = parseJson(new Uint8Array(await file.arrayBuffer()));
  if (json === undefined) return { fault: { code: 'not_json' } };
  const { data, error } = CodeListSchema.safeParse(json);
  if (data) return { codes: data };
  const path = error.issues[0]!.path.join('.');
  return { fault: path === '' ? { code: 'not_a_list' } : { code: 'invalid_value', path } };
}

/** Returns the JSON value in a file, or undefined if the file isn't JSON in UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text.replace(/^[ \t]*\/\/.*$/gm, ''), sanitizeText);
  } catch {
    return undefined;
  }
}
