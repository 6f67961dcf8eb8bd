import type { IssuingContext } from './certificate-context.ts';
import { readDraft } from './draft.ts';
import { loadProductCertificate, type Saved, saveDraft, startDraft } from './drafts.ts';
import { type Issued, issueDraft, type Voided, voidCertificate } from './issue.ts';
import { type UploadOptions, type UploadResult, uploadToShopify } from './upload-to-shopify.ts';

/**
 * Result of a form submission on the product page. `draft` is the ID of the saved or issued draft. Fields that don't
 * apply to the submitted action are null.
 */
export interface FormResult {
  readonly draft: string | null;
  readonly saved: Saved | null;
  readonly issued: Issued | null;
  readonly voided: Voided | null;
  readonly put: UploadResult | null;
}

const NOTHING: FormResult = { draft: null, saved: null, issued: null, voided: null, put: null };

/**
 * Handles a form submission on the product page. The action is `begin`, `save`, `discard`, `issue`, `void`, or `put`.
 *
 * @returns the result, or null if the product or action doesn't exist
 */
export async function handleForm(
  context: IssuingContext,
  productId: string,
  form: FormData,
  options: UploadOptions,
): Promise<FormResult | null> {
  const text = (name: string) => String(form.get(name) ?? '');
  const draft = text('draft');
  switch (text('intent')) {
    case 'begin':
      return (await startDraft(context, productId)) ? NOTHING : null;
    case 'save':
      return { ...NOTHING, draft, saved: await saveDraft(context, productId, draft, text('fields')) };
    case 'discard': {
      const productCertificate = await loadProductCertificate(context, productId);
      if (readDraft(productCertificate.draft)?.id === draft) {
        const { shop } = context.merchant;
        await shop.productCertificates.discardDraft(productId);
        await shop.draftAttachments.removeAll(draft);
      }
      return NOTHING;
    }
    case 'issue': {
      // Save first, because the latest input might not be saved yet. If the draft is missing, an earlier click might
      // have issued the certificate.
      const saved = await saveDraft(context, productId, draft, text('fields'));
      if (saved === 'unreadable') return { ...NOTHING, draft, saved };
      const signature = { agreed: text('agreed') === 'true', name: text('name'), title: text('title') };
      const issued = await issueDraft(context, productId, draft, signature);
      return { ...NOTHING, draft, saved: saved === 'gone' ? null : saved, issued };
    }
    case 'void':
      return { ...NOTHING, voided: await voidCertificate(context, productId, text('reason')) };
    case 'put': {
      const request = { gccId: text('certificate'), previousFile: text('file') };
      return { ...NOTHING, put: await uploadToShopify(context, productId, request, options) };
    }
    default:
      return null;
  }
}
