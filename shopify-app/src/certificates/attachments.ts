import { MAX_ATTACHMENTS } from '@compliance/core/entry';
import type { IssuingContext } from './certificate-context.ts';
import { readDraft } from './draft.ts';
import { attachFile, type DraftFileFault, MAX_DRAFT_BYTES } from './draft-files.ts';
import { loadProductCertificate } from './drafts.ts';

/** Maximum length of an untrusted filename in a fault, in characters. */
const MAX_NAME = 100;

/**
 * A file that wasn't attached, and the reason. `gone` means that the draft was issued or discarded in another window.
 */
export interface AttachmentFault {
  readonly filename: string;
  readonly code: DraftFileFault | 'gone';
}

/** Result of attaching files to a draft or removing a file from it. Files without a fault were attached. */
export interface AttachmentResult {
  readonly draft: string;
  readonly faults: readonly AttachmentFault[];
}

/**
 * Attaches the files in a form to a product's draft, or removes a file from the draft. The form's intent is `attach` or
 * `remove`.
 *
 * @param form untrusted `intent`, `draft`, and `files` or `id`
 * @returns the result, or null if the intent isn't valid
 */
export async function handleAttachments(
  context: IssuingContext,
  productId: string,
  form: FormData,
): Promise<AttachmentResult | null> {
  const text = (name: string) => String(form.get(name) ?? '');
  const draft = text('draft');
  const hasDraft = readDraft((await loadProductCertificate(context, productId)).draft)?.id === draft;
  switch (text('intent')) {
    case 'attach': {
      const files = form.getAll('files').filter(file => file instanceof File);
      const faults = hasDraft ? await attachFiles(context, { productId, draftId: draft }, files) : files.map(goneFault);
      return { draft, faults };
    }
    case 'remove':
      if (hasDraft) await context.merchant.shop.draftAttachments.remove(draft, text('id'));
      return { draft, faults: [] };
    default:
      return null;
  }
}

const goneFault = (file: File): AttachmentFault => ({ filename: nameOf(file), code: 'gone' });

/** Returns a file's name, truncated to `MAX_NAME` characters and with unpaired surrogates replaced. */
const nameOf = ({ name }: File): string => name.slice(0, MAX_NAME).toWellFormed();

/** Attaches untrusted files to a draft. Returns the files that weren't attached, with the reasons. */
async function attachFiles(
  { merchant }: IssuingContext,
  draft: { readonly productId: string; readonly draftId: string },
  files: readonly File[],
): Promise<AttachmentFault[]> {
  const faults: AttachmentFault[] = [];
  for (const [at, file] of files.entries()) {
    const code =
      at >= MAX_ATTACHMENTS
        ? 'too_many_files'
        : file.size > MAX_DRAFT_BYTES
          ? 'too_large'
          : await attachFile(merchant.shop, draft, {
              filename: file.name,
              bytes: new Uint8Array(await file.arrayBuffer()),
            });
    if (code) faults.push({ filename: nameOf(file), code });
  }
  return faults;
}
