import { setTimeout as wait } from 'node:timers/promises';
import type { AuditLog } from '@compliance/store';
import { type Admin, AdminFailed, type AdminFault } from '../admin/admin.ts';
import { certificateLink } from '../admin/operations/certificate-link.ts';
import { certificateLinkSet } from '../admin/operations/certificate-link-set.ts';
import { filePoll } from '../admin/operations/file-poll.ts';
import { pdfFileCreate } from '../admin/operations/pdf-file-create.ts';
import { pdfStage } from '../admin/operations/pdf-stage.ts';
import { askStorage } from '../admin/storage.ts';
import { type Desk, ownCertificate } from './desk.ts';
import { standingOf } from './write.ts';

/** For the upload, in milliseconds. */
const PATIENCE_MS = 15_000;

/** How often Shopify is asked whether a file is ready, and for how long a merchant waits for that, in milliseconds. */
const POLL_MS = 500;
const READY_MS = 12_000;

const FILE_ID = /^gid:\/\/shopify\/GenericFile\/\d+$/;

/**
 * Why a certificate is not, or not yet, with its product in Shopify. `not_in_force`: it is not the one in force of this
 * product. `gone`: Shopify has no such product. `refused`: Shopify says no, in its own words. `upload_refused`: its storage
 * did not take the PDF. `file_failed`: it could make no file of it. `processing`: it is still at it. `changed_meanwhile`:
 * the product names another file by now.
 */
export type PutFault =
  | AdminFault
  | 'not_in_force'
  | 'gone'
  | 'refused'
  | 'upload_refused'
  | 'file_failed'
  | 'processing'
  | 'changed_meanwhile';

/** What came of putting a certificate into Shopify. */
export interface Put {
  readonly certificate: string;
  /** Null: it is there, and the product names it. */
  readonly fault: PutFault | null;
  /** What Shopify says where it refuses. */
  readonly message: string | null;
  /** The file; to be sent along with the next try, which goes on with it. */
  readonly file: string | null;
}

/** Who is told of it, and for how long a file that is processed is waited for, in milliseconds. */
export interface PutOptions {
  readonly audit: AuditLog;
  readonly signal: AbortSignal;
  readonly patience?: number;
}

/** Ends the way through with a word. */
class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly fault: PutFault;
  constructor(fault: PutFault, message = '') {
    super(message);
    this.fault = fault;
  }
}

/**
 * Puts the PDF of the certificate in force into Shopify's Files, and has the product name it. Asking again does what is
 * missing: a file that the product names, or that the last try left, is taken when it is of this certificate.
 *
 * @param gccId the certificate that the merchant looked at
 * @param left the file of the last try, or an empty text
 * @example
 * await putIntoShopify(desk, productId, { gccId, left: '' }, { audit, signal }); // { fault: null, file: 'gid://…', … }
 */
export async function putIntoShopify(
  desk: Desk,
  productId: string,
  { gccId, left }: { readonly gccId: string; readonly left: string },
  { audit, signal, patience = READY_MS }: PutOptions,
): Promise<Put> {
  const { admin, shop, user } = desk.merchant;
  let file: string | null = null;
  try {
    const standing = await standingOf(desk, productId);
    const certificate = standing.gccId === gccId ? await ownCertificate(desk, gccId) : null;
    if (certificate?.status !== 'valid') throw new Stopped('not_in_force');

    const before = await linkOf(admin, productId, signal);
    const alt = `GCC-${gccId}`;
    const known = await fileAmong(admin, [before?.file, left], alt, signal);
    file = known ?? (await makeFile(admin, alt, await desk.certificates.pdf(gccId), signal));
    await untilReady(admin, file, signal, patience);
    const done: Put = { certificate: gccId, fault: null, message: null, file };
    if (before?.file === file) return done;
    await link(admin, { productId, fileId: file, compareDigest: before?.digest ?? null }, signal);
    const record = await shop.record();
    await audit.append({
      // The family is whose nobody can tell once the shop is erased.
      ...{ actor: `shopify-user:${user ?? 'unknown'}`, action: 'certificate.to_shopify' },
      ...{ subject: `${record?.family} ${productId}`, before: before && { file: before.file } },
      after: { file, certificate: gccId },
    });
    return done;
  } catch (error) {
    if (!(error instanceof Stopped || error instanceof AdminFailed)) throw error;
    const { fault } = error;
    // A file that failed is of no use any more: the next try makes another.
    const kept = fault === 'file_failed' ? null : file;
    const message = error instanceof Stopped ? error.message || null : null;
    return { certificate: gccId, fault, message, file: kept };
  }
}

/** The file that a product names, and the digest of what it names; null when it names nothing. */
async function linkOf(admin: Admin, productId: string, signal: AbortSignal) {
  const { product } = await admin.run(certificateLink, { productId }, { signal });
  if (!product) throw new Stopped('gone');
  const { metafield } = product;
  return (
    metafield && {
      file: metafield.type === 'file_reference' ? metafield.value : null,
      digest: metafield.compareDigest,
    }
  );
}

/** The first of some files that is of this certificate and of use. */
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

/** Uploads a PDF and has a file made of it, which is not ready yet. */
async function makeFile(admin: Admin, alt: string, pdf: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<string> {
  const filename = `${alt}.pdf`;
  const staged = await admin.run(pdfStage, { filename, fileSize: `${pdf.byteLength}` }, { signal });
  refuse(staged.stagedUploadsCreate?.userErrors);
  const [target] = staged.stagedUploadsCreate?.stagedTargets ?? [];
  if (!target?.url || !target.resourceUrl) throw new AdminFailed('unexpected', pdfStage.name);

  const body = new FormData();
  for (const { name, value } of target.parameters) body.append(name, value);
  // What stands after the file is not read.
  body.append('file', new Blob([pdf], { type: 'application/pdf' }), filename);
  const isTaken = await upload(target.url, body, signal);
  if (!isTaken) throw new Stopped('upload_refused');

  const made = await admin.run(pdfFileCreate, { originalSource: target.resourceUrl, filename, alt }, { signal });
  refuse(made.fileCreate?.userErrors);
  const [file] = made.fileCreate?.files ?? [];
  if (!file) throw new AdminFailed('unexpected', pdfFileCreate.name);
  return file.id;
}

async function upload(url: string, body: FormData, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await askStorage(url, { method: 'POST', body, signal, patience: PATIENCE_MS });
    await response.body?.cancel();
    return response.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function untilReady(admin: Admin, id: string, signal: AbortSignal, patience: number): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const { node } = await admin.run(filePoll, { id }, { signal });
    if (node?.fileStatus === 'READY') return;
    if (!node || node.fileStatus === 'FAILED') throw new Stopped('file_failed');
    if (waited >= patience) throw new Stopped('processing');
    await wait(POLL_MS, undefined, { signal });
  }
}

async function link(
  admin: Admin,
  input: { readonly productId: string; readonly fileId: string; readonly compareDigest: string | null },
  signal: AbortSignal,
): Promise<void> {
  const { metafieldsSet } = await admin.run(certificateLinkSet, input, { signal });
  if (!metafieldsSet) throw new AdminFailed('unexpected', certificateLinkSet.name);
  const { userErrors } = metafieldsSet;
  const isStale = userErrors.some(({ code }) => code === 'STALE_OBJECT' || code === 'INVALID_COMPARE_DIGEST');
  if (!isStale) return refuse(userErrors);
  // Perhaps by us: the answer was lost on its way, and it was asked once more.
  const now = await linkOf(admin, input.productId, signal);
  if (now?.file !== input.fileId) throw new Stopped('changed_meanwhile');
}

function refuse(errors: readonly { readonly message: string }[] = []): void {
  const [error] = errors;
  if (error) throw new Stopped('refused', error.message);
}
