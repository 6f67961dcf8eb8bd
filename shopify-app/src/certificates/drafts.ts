import { randomUUID } from 'node:crypto';
import { type CertificateRequest, hasEnded, readRecord } from '@compliance/core/entry';
import type { Certificate } from '@compliance/store';
import type { ProductCertificate } from '@compliance/store/shop';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';
import { type Check, checkDraft, type Draft, type Fields, fieldsOf, readDraft, readFields } from './draft.ts';
import { copyFiles } from './draft-files.ts';
import { prefill } from './prefill.ts';
import { recordVoided } from './unlink-job.ts';

/** Maximum number of earlier certificates to search for fields to copy. */
const MAX_EARLIER = 20;

const requestOf = ({ record }: Certificate): CertificateRequest => readRecord(record).request;

/**
 * Returns a product's certificate state after correcting the stored state if necessary. The stored state might be
 * outdated because a process died before it recorded an issued certificate or because the operator voided a
 * certificate.
 */
export async function loadProductCertificate(context: IssuingContext, productId: string): Promise<ProductCertificate> {
  const { shop, user } = context.merchant;
  const productCertificate = await shop.productCertificates.get(productId);
  const draft = readDraft(productCertificate.draft);
  const made = draft && (await ownCertificate(context, draft.id));
  if (made)
    return shop.productCertificates.issued(productId, { gccId: made.id, supersedes: made.supersedes, by: user ?? '' });
  if (productCertificate.state !== 'issued' || !productCertificate.gccId) return productCertificate;
  const current = await context.certificates.get(productCertificate.gccId);
  if (current?.status !== 'voided') return productCertificate;
  return recordVoided({ shop, user: null }, productId, { gccId: current.id, reason: current.voidReason ?? '' });
}

/**
 * Starts a draft or keeps the existing draft. A product's first draft combines product data from Shopify with the
 * certifier, records custodian, and laboratory from the shop's newest certificate that hasn't been superseded or
 * voided. Each later draft starts with the fields and attached files from the product's newest certificate.
 *
 * @returns true if a draft was started or kept, or false if the product doesn't exist
 */
export async function startDraft(context: IssuingContext, productId: string): Promise<boolean> {
  const { shop } = context.merchant;
  const productCertificate = await loadProductCertificate(context, productId);
  if (readDraft(productCertificate.draft)) return true;
  const last = productCertificate.gccId && (await ownCertificate(context, productCertificate.gccId));
  const first = last ? fieldsOf(requestOf(last)) : await prefill(context.merchant, productId);
  if (!first) return false;
  const copied = last ? {} : await copyFromLastCertificate(context);
  const draft: Draft = {
    id: randomUUID(),
    fields: { ...first, ...copied },
    fromEarlier: Object.keys(copied).length > 0,
  };
  if (last) await copyFiles(context, last.id, { draftId: draft.id, productId });
  await shop.productCertificates.saveDraft(productId, draft);
  return true;
}

/**
 * Returns the certifier, records custodian, and laboratory, without test data, from the newest certificate that hasn't
 * been superseded or voided.
 */
async function copyFromLastCertificate({ merchant, certificates }: IssuingContext): Promise<Fields> {
  const record = await merchant.shop.record();
  if (!record) return {};
  const earlier = await certificates.list({ family: record.family, limit: MAX_EARLIER });
  const last = earlier.find(({ status }) => !hasEnded(status));
  if (!last) return {};
  const { certifier, records_contact, testing_lab } = requestOf(last);
  const { test_date: _, report_ids: __, ...lab } = testing_lab ?? {};
  return {
    ...(certifier && { certifier }),
    ...(records_contact && { records_contact }),
    ...(testing_lab && { testing_lab: lab }),
  };
}

/**
 * Result of saving a draft: the check result, `gone` if the draft no longer exists, or `unreadable` if the fields
 * aren't a JSON object or are too long.
 */
export type Saved = Check | 'gone' | 'unreadable';

/**
 * Saves the form's fields unless the draft was issued or replaced in another window.
 *
 * @param draftId ID of the draft in the form
 * @param text draft fields as JSON
 */
export async function saveDraft(
  context: IssuingContext,
  productId: string,
  draftId: string,
  text: string,
): Promise<Saved> {
  const fields = readFields(text);
  if (!fields) return 'unreadable';
  const draft = readDraft((await loadProductCertificate(context, productId)).draft);
  if (draft?.id !== draftId) return 'gone';
  const next = { ...draft, fields };
  await context.merchant.shop.productCertificates.saveDraft(productId, next);
  return checkDraft(next, context);
}
