import { setTimeout as wait } from 'node:timers/promises';
import { certificateKind, hasEnded, readRecord } from '@compliance/core/entry';
import type { AuditLog } from '@compliance/store';
import { type Admin, AdminApiError, type AdminFault } from '../admin/admin.ts';
import { certificateLink } from '../admin/operations/certificate-link.ts';
import { type CertificateLinkInput, certificateLinkSet } from '../admin/operations/certificate-link-set.ts';
import { filePoll } from '../admin/operations/file-poll.ts';
import { pdfFileCreate } from '../admin/operations/pdf-file-create.ts';
import { pdfStage } from '../admin/operations/pdf-stage.ts';
import { fetchFromStorage } from '../admin/storage.ts';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';
import { loadProductCertificate } from './drafts.ts';

/** Timeout for uploading the PDF, in milliseconds. */
const UPLOAD_TIMEOUT_MS = 15_000;

/** Initial and maximum polling interval for a file's status, in milliseconds. The interval doubles after each poll. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 500;

/** Maximum wait for a file during a merchant's request, in milliseconds. */
const READY_TIMEOUT_MS = 12_000;

const FILE_ID = /^gid:\/\/shopify\/GenericFile\/\d+$/;

/**
 * Reason that a product in Shopify doesn't link to its certificate. `not_in_force` means that the certificate isn't the
 * product's valid certificate. `gone` means that the product no longer exists in Shopify. `refused` means that Shopify
 * rejected the request and returned a message. `upload_refused` means that Shopify's storage rejected the PDF.
 * `file_failed` means that Shopify couldn't process the file. `processing` means that Shopify is still processing the
 * file. `changed_meanwhile` means that the product now links to another file.
 */
export type UploadFault =
  | AdminFault
  | 'not_in_force'
  | 'gone'
  | 'refused'
  | 'upload_refused'
  | 'file_failed'
  | 'processing'
  | 'changed_meanwhile';

/** Result of uploading a certificate to Shopify. */
export interface UploadResult {
  readonly certificate: string;
  /** Upload error code, or null if the product links to the file. */
  readonly fault: UploadFault | null;
  /** Shopify's message if Shopify rejected the request, otherwise null. */
  readonly message: string | null;
  /** ID of the uploaded file. Pass this ID to the next attempt to reuse the file. */
  readonly file: string | null;
}

/** Upload options. `readyTimeoutMs` is the maximum time, in milliseconds, to wait for Shopify to process the file. */
export interface UploadOptions {
  readonly audit: AuditLog;
  readonly signal: AbortSignal;
  readonly readyTimeoutMs?: number;
}

/** Thrown to end the upload with an error code. */
class UploadStopped extends Error {
  override readonly name = 'UploadStopped';
  readonly fault: UploadFault;
  constructor(fault: UploadFault, message = '') {
    super(message);
    this.fault = fault;
  }
}

/**
 * Uploads the valid certificate's PDF to Shopify Files and links the product to the file. A repeated call performs only
 * the remaining steps. The upload reuses the linked file or the previous attempt's file if that file belongs to this
 * certificate.
 *
 * @param gccId ID of the certificate that the merchant reviewed
 * @param previousFile file ID from the previous attempt, or an empty string
 * @example
 * await uploadToShopify(context, productId, { gccId, previousFile: '' }, { audit, signal }); // { fault: null, file: 'gid://…', … }
 */
export async function uploadToShopify(
  context: IssuingContext,
  productId: string,
  { gccId, previousFile }: { readonly gccId: string; readonly previousFile: string },
  { audit, signal, readyTimeoutMs = READY_TIMEOUT_MS }: UploadOptions,
): Promise<UploadResult> {
  const { admin, shop } = context.merchant;
  let file: string | null = null;
  try {
    const productCertificate = await loadProductCertificate(context, productId);
    const certificate = productCertificate.gccId === gccId ? await ownCertificate(context, gccId) : null;
    if (!certificate || hasEnded(certificate.status)) throw new UploadStopped('not_in_force');

    const before = await linkOf(admin, productId, signal);
    const published = readRecord(certificate.record);
    const alt = `${certificateKind(published)}-${gccId}`;
    const known = await fileAmong(admin, [before?.file, previousFile], alt, signal);
    file = known ?? (await makeFile(admin, alt, await context.certificates.pdf(gccId), signal));
    await untilReady(admin, file, signal, readyTimeoutMs);
    const done: UploadResult = { certificate: gccId, fault: null, message: null, file };
    if (before?.file === file) return done;
    const { verification_url: verificationUrl } = published;
    await link(admin, { productId, fileId: file, verificationUrl, compareDigest: before?.digest ?? null }, signal);
    const family = (await shop.record())?.family ?? 'unknown';
    await audit.append({
      // The log is permanent, so the entry identifies neither the shop nor a user. A certificate family ID can't be
      // traced back to the shop after the shop's data is erased.
      ...{ actor: family, action: 'certificate.to_shopify', subject: `${family} ${productId}` },
      before: before && { file: before.file },
      after: { file, certificate: gccId },
    });
    return done;
  } catch (error) {
    if (!(error instanceof UploadStopped || error instanceof AdminApiError)) throw error;
    const { fault } = error;
    // A failed file can't be reused, so the next attempt creates another file.
    const kept = fault === 'file_failed' ? null : file;
    const message = error instanceof UploadStopped ? error.message || null : null;
    return { certificate: gccId, fault, message, file: kept };
  }
}

/** Returns the file that a product links to and the digest of that link, or null if the product has no link. */
async function linkOf(admin: Admin, productId: string, signal: AbortSignal) {
  const { product } = await admin.run(certificateLink, { productId }, { signal });
  if (!product) throw new UploadStopped('gone');
  const { metafield } = product;
  return (
    metafield && {
      file: metafield.type === 'file_reference' ? metafield.value : null,
      digest: metafield.compareDigest,
    }
  );
}

/** Returns the first candidate that is a usable file for this certificate, or null if none is. */
async function fileAmong(
  admin: Admin,
  candidates: readonly (string | null | undefined)[],
  alt: string,
  signal: AbortSignal,
): Promise<string | null> {
  for (const id of candidates) {
    if (!id || !FILE_ID.test(id)) continue;
    const { node } = await admin.run(filePoll, { id }, { signal });
    if (node?.alt === alt && node.fileStatus !== 'FAILED') return id;
  }
  return null;
}

/** Uploads a PDF and creates a file from it. Shopify still needs to process the file. */
async function makeFile(admin: Admin, alt: string, pdf: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<string> {
  const filename = `${alt}.pdf`;
  const staged = await admin.run(pdfStage, { filename, fileSize: `${pdf.byteLength}` }, { signal });
  refuse(staged.stagedUploadsCreate?.userErrors);
  const [target] = staged.stagedUploadsCreate?.stagedTargets ?? [];
  if (!target?.url || !target.resourceUrl) throw new AdminApiError('unexpected', pdfStage.name);

  const body = new FormData();
  for (const { name, value } of target.parameters) body.append(name, value);
  // Shopify ignores form fields that follow the file.
  body.append('file', new Blob([pdf], { type: 'application/pdf' }), filename);
  const isTaken = await upload(target.url, body, signal);
  if (!isTaken) throw new UploadStopped('upload_refused');

  const made = await admin.run(pdfFileCreate, { originalSource: target.resourceUrl, filename, alt }, { signal });
  refuse(made.fileCreate?.userErrors);
  const [file] = made.fileCreate?.files ?? [];
  if (!file) throw new AdminApiError('unexpected', pdfFileCreate.name);
  return file.id;
}

async function upload(url: string, body: FormData, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetchFromStorage(url, { method: 'POST', body, signal, timeoutMs: UPLOAD_TIMEOUT_MS });
    await response.body?.cancel();
    return response.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function untilReady(admin: Admin, id: string, signal: AbortSignal, readyTimeoutMs: number): Promise<void> {
  let waited = 0;
  for (let interval = FIRST_POLL_MS; ; interval = Math.min(2 * interval, MAX_POLL_MS)) {
    const { node } = await admin.run(filePoll, { id }, { signal });
    if (node?.fileStatus === 'READY') return;
    if (!node || node.fileStatus === 'FAILED') throw new UploadStopped('file_failed');
    if (waited >= readyTimeoutMs) throw new UploadStopped('processing');
    await wait(interval, undefined, { signal });
    waited += interval;
  }
}

async function link(admin: Admin, input: CertificateLinkInput, signal: AbortSignal): Promise<void> {
  const { metafieldsSet } = await admin.run(certificateLinkSet, input, { signal });
  if (!metafieldsSet) throw new AdminApiError('unexpected', certificateLinkSet.name);
  const { userErrors } = metafieldsSet;
  const isStale = userErrors.some(({ code }) => code === 'STALE_OBJECT' || code === 'INVALID_COMPARE_DIGEST');
  if (!isStale) return refuse(userErrors);
  // If a response was lost and the request was repeated, this upload might have already changed the link.
  const now = await linkOf(admin, input.productId, signal);
  if (now?.file !== input.fileId) throw new UploadStopped('changed_meanwhile');
}

function refuse(errors: readonly { readonly message: string }[] = []): void {
  const [error] = errors;
  if (error) throw new UploadStopped('refused', error.message);
}
