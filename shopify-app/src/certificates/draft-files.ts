import {
  type AttachmentFile,
  attachmentsIn,
  checkAttachments,
  describeAttachments,
  InvalidRequest,
  readRecord,
} from '@compliance/core/entry';
import type { DraftAttachment, Shop } from '@compliance/store/shop';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';
import { readDraft } from './draft.ts';

/**
 * Maximum total size of a draft's files, in bytes. The limit is lower than core's, because the certificate PDF must fit
 * in a worker's response and within the Shopify Files size limit.
 */
export const MAX_DRAFT_BYTES = 10_000_000;

/** Reason that a file can't be attached. */
export type DraftFileFault = 'name' | 'type' | 'same_name' | 'too_many_files' | 'too_large';

/** A file attached to a draft, as shown to the merchant. `size` is in bytes. */
export type DraftFile = Pick<DraftAttachment, 'id' | 'filename' | 'size' | 'sha256'>;

/** Returns a draft's files, in the order in which they were attached. */
export const draftFilesOf = async (shop: Shop, draftId: string): Promise<readonly DraftFile[]> =>
  (await shop.draftAttachments.list(draftId)).map(({ id, filename, size, sha256 }) => ({ id, filename, size, sha256 }));

/**
 * Attaches an untrusted file to a draft.
 *
 * @returns null, or the reason that the file can't be attached
 * @example await attachFile(shop, { productId, draftId }, { filename: 'report.exe', bytes }) // 'type'
 */
export async function attachFile(
  shop: Shop,
  draft: Pick<DraftAttachment, 'draftId' | 'productId'>,
  file: AttachmentFile,
): Promise<DraftFileFault | null> {
  try {
    const [described] = describeAttachments([file]);
    const { media_type: mediaType, ...facts } = described!;
    await shop.draftAttachments.add({ ...draft, ...facts, mediaType, bytes: file.bytes }, others => {
      refuseTogether([...others, facts]);
    });
    return null;
  } catch (error) {
    if (error instanceof NotTogether) return error.fault;
    if (error instanceof InvalidRequest) return error.issues[0]?.path.endsWith('filename') ? 'name' : 'type';
    throw error;
  }
}

/** Thrown if a file can't be attached because of the draft's other files. */
class NotTogether extends Error {
  override readonly name = 'NotTogether';
  readonly fault: DraftFileFault;
  constructor(fault: DraftFileFault) {
    super(fault);
    this.fault = fault;
  }
}

function refuseTogether(files: readonly Pick<DraftAttachment, 'filename' | 'size'>[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_DRAFT_BYTES) throw new NotTogether('too_large');
  try {
    checkAttachments(files);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new NotTogether(error.issues.some(({ code }) => code === 'TOO_MANY') ? 'too_many_files' : 'same_name');
  }
}

/** Thrown if a draft's file was lost, for example because a backup was restored. */
export class FileLost extends Error {
  override readonly name = 'FileLost';
}

/**
 * Returns a draft's files with their content.
 *
 * @throws FileLost if a file was lost
 */
export async function readDraftFiles({ draftAttachments }: Shop, draftId: string): Promise<AttachmentFile[]> {
  const files: AttachmentFile[] = [];
  for (const file of await draftAttachments.list(draftId)) {
    const bytes = await draftAttachments.bytes(file);
    if (!bytes) throw new FileLost('A file attached to the draft was lost.');
    files.push({ filename: file.filename, bytes });
  }
  return files;
}

/** Copies a certificate's files to its replacement draft. Does nothing if the certificate belongs to another shop. */
export async function copyFiles(
  context: IssuingContext,
  certificateId: string,
  draft: Pick<DraftAttachment, 'draftId' | 'productId'>,
): Promise<void> {
  const certificate = await ownCertificate(context, certificateId);
  const record = certificate && readRecord(certificate.record);
  if (!record?.attachments?.length) return;
  for (const file of attachmentsIn(await context.certificates.pdf(certificateId), record))
    await attachFile(context.merchant.shop, draft, file);
}

/** Deletes files attached to drafts that have since been issued or discarded. */
export async function deleteStaleFiles(shop: Shop): Promise<void> {
  for (const { draftId, productId } of await shop.draftAttachments.drafts()) {
    const { draft } = await shop.productCertificates.get(productId);
    if (readDraft(draft)?.id !== draftId) await shop.draftAttachments.removeAll(draftId);
  }
}
