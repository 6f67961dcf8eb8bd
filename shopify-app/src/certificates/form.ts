import type { Desk } from './desk.ts';
import { readDraft } from './draft.ts';
import { type Issued, issueDraft, type Voided, voidCertificate } from './issue.ts';
import { type Put, type PutOptions, putIntoShopify } from './to-shopify.ts';
import { beginDraft, type Saved, saveDraft, standingOf } from './write.ts';

/** What the page of a product gets for what it sent: what was done, and to which draft. */
export interface FormAnswer {
  readonly draft: string | null;
  readonly saved: Saved | null;
  readonly issued: Issued | null;
  readonly voided: Voided | null;
  readonly put: Put | null;
}

const NOTHING: FormAnswer = { draft: null, saved: null, issued: null, voided: null, put: null };

/**
 * Does what a form of the page of a product asks for: `begin`, `save`, `discard`, `issue`, `void` or `put`.
 *
 * @returns null when there is no such product, or the form asks for nothing
 */
export async function answerForm(
  desk: Desk,
  productId: string,
  form: FormData,
  options: PutOptions,
): Promise<FormAnswer | null> {
  const text = (name: string) => String(form.get(name) ?? '');
  const draft = text('draft');
  switch (text('intent')) {
    case 'begin':
      return (await beginDraft(desk, productId)) ? NOTHING : null;
    case 'save':
      return { ...NOTHING, draft, saved: await saveDraft(desk, productId, draft, text('fields')) };
    case 'discard': {
      const standing = await standingOf(desk, productId);
      if (readDraft(standing.draft)?.id === draft) await desk.merchant.shop.productCertificates.discardDraft(productId);
      return NOTHING;
    }
    case 'issue': {
      // What was typed last may not have been saved yet. A draft that is gone was perhaps issued by the click before.
      const saved = await saveDraft(desk, productId, draft, text('fields'));
      if (saved === 'unreadable') return { ...NOTHING, draft, saved };
      const signature = { agreed: text('agreed') === 'true', name: text('name'), title: text('title') };
      const issued = await issueDraft(desk, productId, draft, signature);
      return { ...NOTHING, draft, saved: saved === 'gone' ? null : saved, issued };
    }
    case 'void':
      return { ...NOTHING, voided: await voidCertificate(desk, productId, text('reason')) };
    case 'put': {
      const asked = { gccId: text('certificate'), left: text('file') };
      return { ...NOTHING, put: await putIntoShopify(desk, productId, asked, options) };
    }
    default:
      return null;
  }
}
