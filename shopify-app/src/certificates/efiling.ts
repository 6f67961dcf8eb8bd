import { type EfilingExport, efilingPack, hasEnded, readRecord } from '@compliance/core/entry';
import { z } from 'zod';
import { translationFor } from '../translation/translation.ts';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';
import { type CodeListFault, readUploadedCodes } from './code-list.ts';

// Disclaim messages aren't included, because they're for products without a certificate.
const targetSchema = z.enum(['registry_csv', 'fedex_reference']);

/** Recipient of an issued certificate's eFiling data. */
export type CertificateTarget = z.output<typeof targetSchema>;

/** Reason that no data was exported: the certificate was superseded or voided, or the list of codes can't be used. */
export type EfilingFault = { readonly code: 'ended' } | CodeListFault;

/** An issued certificate's eFiling data for one target, or the reason that no data was exported. */
export interface EfilingResult {
  readonly certificate: string;
  readonly target: CertificateTarget;
  readonly fault: EfilingFault | null;
  /** Exported data and any gaps, or null if there's a fault. */
  readonly data: Pick<EfilingExport, 'content' | 'filename' | 'gaps' | 'notes'> | null;
}

/**
 * Exports an issued certificate's eFiling data. If required values are missing, the export's content is null, and the
 * export lists each missing value. Nothing is stored or filed.
 *
 * @param form untrusted `target` and, optionally, `codes`, a file with the merchant's list of citation codes
 * @param requested language of the messages, unless the merchant has chosen another language
 * @returns the result, or null if the target is invalid or the shop has no certificate with this ID
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
  const read = file instanceof Blob ? await readUploadedCodes(file) : { codes: null };
  if ('fault' in read) return { ...result, fault: read.fault };
  const shop = await context.merchant.shop.record();
  const translation = translationFor(shop?.settings.locale ?? requested);
  const [exported] = efilingPack(readRecord(certificate.record), { targets: [target], codes: read.codes, translation });
  const { content, filename, gaps, notes } = exported!;
  return { ...result, data: { content, filename, gaps, notes } };
}
