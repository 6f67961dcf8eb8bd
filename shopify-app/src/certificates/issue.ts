import { currentAttestation, InvalidRequest, render } from '@compliance/core/entry';
import { issueCertificate, StoreError } from '@compliance/store';
import { z } from 'zod';
import { type Desk, fonts, ownCertificate } from './desk.ts';
import { readDraft, recordOfDraft } from './draft.ts';
import { standingOf } from './write.ts';

const MAX_REASON = 500;

const attestation = z.object({
  agreed: z.literal(true, 'not_agreed'),
  name: z.string().trim().min(1, 'name_missing').max(250, 'too_long'),
  title: z.string().trim().max(250, 'too_long'),
});

/** Who signs, in their own words; nothing of it is ever filled in for them. */
export interface Signature {
  readonly agreed: boolean;
  readonly name: string;
  readonly title: string;
}

/**
 * What came of issuing. `faults` are words by field of the signature. `invalid`: fields of the draft are missing or wrong.
 * `gone`: the draft was issued or begun anew in another window. `ended`: the certificate to be replaced was ended meanwhile.
 * `not_set_up`: nobody has said where certificates are verified.
 */
export type Issued =
  | { readonly issued: string }
  | { readonly faults: Readonly<Record<string, string>> }
  | { readonly refused: 'invalid' | 'gone' | 'ended' | 'not_set_up' };

/**
 * Issues the certificate that a draft describes. Asking twice issues once: the draft carries the number. A certificate of
 * the product that is in force is superseded.
 *
 * @param draftId the number of the draft that the merchant looked at
 * @example
 * await issueDraft(desk, productId, draftId, { agreed: true, name: 'R. Keeper', title: '' });
 */
export async function issueDraft(
  desk: Desk,
  productId: string,
  draftId: string,
  signature: Signature,
): Promise<Issued> {
  const { merchant, certificates, baseUrl, clock } = desk;
  if (baseUrl === null) return { refused: 'not_set_up' };
  const standing = await standingOf(desk, productId);
  if (standing.gccId === draftId) return { issued: draftId };
  const draft = readDraft(standing.draft);
  const record = await merchant.shop.record();
  if (draft?.id !== draftId || !record) return { refused: 'gone' };
  const read = attestation.safeParse(signature);
  if (!read.success)
    return { faults: Object.fromEntries(read.error.issues.map(({ path, message }) => [String(path[0]), message])) };

  const now = clock();
  const { name, title } = read.data;
  const current = standing.gccId === null ? null : await ownCertificate(desk, standing.gccId);
  const body = {
    ...draft.fields,
    attestation: {
      attested_by: name,
      ...(title && { title }),
      attested_at: new Date(now).toISOString(),
      text_version: currentAttestation.version,
    },
    ...(current?.status === 'valid' && { supersedes: current.id }),
  };
  try {
    const { family } = record;
    // The log of changes is kept for good: it names the family, never a person or a shop.
    const made = await issueCertificate(
      certificates,
      { fonts, baseUrl },
      { body, id: draftId, family, now, actor: family },
    );
    const by = merchant.user ?? '';
    await merchant.shop.productCertificates.issued(productId, { gccId: made.id, supersedes: made.supersedes, by });
    return { issued: made.id };
  } catch (error) {
    if (error instanceof InvalidRequest) return { refused: 'invalid' };
    if (error instanceof StoreError && error.code === 'certificate_ended') return { refused: 'ended' };
    throw error;
  }
}

/** What came of voiding; words that the screen has sentences for. */
export type Voided = { readonly voided: string } | { readonly faults: { readonly reason: string } };

/** Voids the certificate of a product, for a reason that anybody who verifies it will read. */
export async function voidCertificate(desk: Desk, productId: string, reason: string): Promise<Voided> {
  const { merchant, certificates } = desk;
  const words = reason.trim();
  if (words === '' || words.includes('\0')) return { faults: { reason: 'reason_missing' } };
  if (words.length > MAX_REASON) return { faults: { reason: 'reason_too_long' } };
  const [standing, record] = await Promise.all([standingOf(desk, productId), merchant.shop.record()]);
  const current = standing.gccId === null ? null : await ownCertificate(desk, standing.gccId);
  if (!current || !record) return { faults: { reason: 'nothing_to_void' } };
  try {
    if (current.status === 'valid') await certificates.void(current.id, { reason: words, actor: record.family });
  } catch (error) {
    // Another window was quicker; what it wrote is what counts.
    if (!(error instanceof StoreError && error.code === 'certificate_ended')) throw error;
  }
  const end = (await certificates.get(current.id))?.voidReason ?? words;
  await merchant.shop.productCertificates.voided(productId, {
    gccId: current.id,
    reason: end,
    by: merchant.user ?? '',
  });
  return { voided: current.id };
}

/** The PDF of an issued certificate of this shop, or null. */
export async function certificatePdf(desk: Desk, id: string): Promise<Response | null> {
  const certificate = await ownCertificate(desk, id);
  return certificate && pdfResponse(await desk.certificates.pdf(id), `GCC-${id}.pdf`);
}

/** The PDF of a draft, marked as one; null when there is no draft, or it is not filled in enough to be drawn. */
export async function previewPdf(desk: Desk, productId: string): Promise<Response | null> {
  const draft = readDraft((await standingOf(desk, productId)).draft);
  if (!draft) return null;
  try {
    const pdf = await render(recordOfDraft(draft, desk.baseUrl, desk.clock()), fonts);
    return pdfResponse(new Uint8Array(pdf), `DRAFT-${draft.id}.pdf`);
  } catch (error) {
    if (error instanceof InvalidRequest) return null;
    throw error;
  }
}

const pdfResponse = (pdf: Uint8Array<ArrayBuffer>, name: string): Response =>
  new Response(pdf, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': `${pdf.byteLength}`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
