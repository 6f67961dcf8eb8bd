import {
  type CertificateContext,
  certificateKind,
  currentAttestation,
  hasEnded,
  InvalidRequest,
  readRecord,
} from '@compliance/core/entry';
import { PoolError } from '@compliance/crawler/pool';
import { type SignOptions, TimestampError } from '@compliance/signing';
import { certificateContext, issueCertificate, StoreError } from '@compliance/store';
import { z } from 'zod';
import { recordCertificateCheck } from './certificate-alerts.ts';
import { drawingCaller, type IssuingContext, ownCertificate } from './certificate-context.ts';
import { previewContext, readDraft, requestBody } from './draft.ts';
import { FileLost, readDraftFiles } from './draft-files.ts';
import { loadProductCertificate } from './drafts.ts';
import { fileResponse } from './file-response.ts';
import { recordVoided } from './unlink-job.ts';

const MAX_REASON = 500;

const attestation = z.object({
  agreed: z.literal(true, 'not_agreed'),
  name: z.string().trim().min(1, 'name_missing').max(250, 'too_long'),
  title: z.string().trim().max(250, 'too_long'),
});

/** Certifier's signature. The app never prefills any part of the signature. */
export interface Signature {
  readonly agreed: boolean;
  readonly name: string;
  readonly title: string;
}

/** Reason that a certificate wasn't issued. */
type Refusal =
  | 'invalid'
  | 'incomplete'
  | 'gone'
  | 'ended'
  | 'not_set_up'
  | 'file_lost'
  | 'signature_failed'
  | 'timestamp_failed';

/**
 * Result of issuing a certificate. `faults` maps signature fields to error codes. `invalid` means that draft fields
 * are missing or invalid. `incomplete` means that the certificate is incomplete but would supersede a complete
 * certificate. `gone` means that the draft was issued or replaced in another window. `ended` means that the
 * certificate to supersede has since been voided or superseded. `not_set_up` means that the operator hasn't configured
 * a verification URL. `file_lost` means that an attached file was lost. `signature_failed` and `timestamp_failed` mean
 * that the certificate couldn't be signed. If the certificate isn't issued, the draft doesn't change.
 */
export type Issued =
  | { readonly issued: string }
  | { readonly faults: Readonly<Record<string, string>> }
  | { readonly refused: Refusal };

/**
 * Issues a certificate from a draft. The draft contains the certificate ID, so repeating the call doesn't issue a
 * second certificate. The new certificate supersedes the product's current certificate.
 *
 * @param draftId ID of the draft that the merchant reviewed
 * @example
 * await issueDraft(context, productId, draftId, { agreed: true, name: 'R. Keeper', title: '' });
 */
export async function issueDraft(
  context: IssuingContext,
  productId: string,
  draftId: string,
  signature: Signature,
): Promise<Issued> {
  const { merchant, certificates, baseUrl, clock, acceptedLabs, drawing } = context;
  if (baseUrl === null) return { refused: 'not_set_up' };
  const productCertificate = await loadProductCertificate(context, productId);
  if (productCertificate.gccId === draftId) return { issued: draftId };
  const draft = readDraft(productCertificate.draft);
  const record = await merchant.shop.record();
  if (draft?.id !== draftId || !record) return { refused: 'gone' };
  const read = attestation.safeParse(signature);
  if (!read.success)
    return { faults: Object.fromEntries(read.error.issues.map(({ path, message }) => [String(path[0]), message])) };

  const now = clock();
  const { name, title } = read.data;
  const current = productCertificate.gccId === null ? null : await ownCertificate(context, productCertificate.gccId);
  const body = {
    ...requestBody(draft.fields),
    attestation: {
      attested_by: name,
      ...(title && { title }),
      attested_at: new Date(now).toISOString(),
      text_version: currentAttestation.version,
    },
    ...(current && !hasEnded(current.status) && { supersedes: current.id }),
  };
  const withLabs = (on: CertificateContext): CertificateContext => ({ ...on, acceptedLabs });
  try {
    if (current?.status === 'complete') {
      const on = withLabs(certificateContext(baseUrl, draftId, now));
      const { completeness } = await drawing.validate(body, on, drawingCaller(context));
      if (completeness.status !== 'complete') return { refused: 'incomplete' };
    }
    const attachments = await readDraftFiles(merchant.shop, draftId);
    const { family } = record;
    // The audit log is permanent, so it identifies only the certificate family and never a person or shop.
    const made = await issueCertificate(
      certificates,
      { draw: (drawn, on) => drawSigned(drawn, { ...withLabs(on), attachments }, context), baseUrl },
      { body, id: draftId, family, now, actor: family },
    );
    const by = merchant.user ?? '';
    await merchant.shop.productCertificates.issued(productId, { gccId: made.id, supersedes: made.supersedes, by });
    await recordCertificateCheck(context, productId, made);
    const superseded = made.supersedes && (await certificates.get(made.supersedes));
    if (superseded) await recordCertificateCheck(context, productId, superseded);
    return { issued: made.id };
  } catch (error) {
    if (error instanceof InvalidRequest) return { refused: 'invalid' };
    if (error instanceof FileLost) return { refused: 'file_lost' };
    if (error instanceof NotSigned) {
      context.logFailure(error.cause, { certificate: draftId });
      return { refused: error.cause instanceof TimestampError ? 'timestamp_failed' : 'signature_failed' };
    }
    if (error instanceof StoreError && error.code === 'certificate_ended') return { refused: 'ended' };
    throw error;
  }
}

/** Thrown if a certificate couldn't be signed. `cause` is the signing or timestamp error. */
class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

/**
 * Generates a certificate PDF, and signs it if the operator has configured a signing key.
 *
 * @throws NotSigned if the certificate can't be signed
 */
async function drawSigned(body: unknown, on: CertificateContext, context: IssuingContext) {
  const { drawing, sign } = context;
  const { record, pdf } = await drawing.draw(body, on, drawingCaller(context));
  if (!sign) return { record, pdf };
  const prepare: SignOptions['prepare'] = (file, facts) =>
    drawing.prepareSignature(file, facts, drawingCaller(context));
  try {
    return { record, pdf: await sign(pdf, { at: record.issued_at, prepare }) };
  } catch (cause) {
    throw cause instanceof PoolError ? cause : new NotSigned('The certificate couldn’t be signed.', { cause });
  }
}

/** Result of voiding a certificate. The app's locale files contain a message for each error code. */
export type Voided = { readonly voided: string } | { readonly faults: { readonly reason: string } };

/** Voids a product's certificate. The verification page shows the reason to anyone who verifies the certificate. */
export async function voidCertificate(context: IssuingContext, productId: string, reason: string): Promise<Voided> {
  const { merchant, certificates } = context;
  const trimmed = reason.trim();
  if (trimmed === '' || trimmed.includes('\0')) return { faults: { reason: 'reason_missing' } };
  if (trimmed.length > MAX_REASON) return { faults: { reason: 'reason_too_long' } };
  const [productCertificate, record] = await Promise.all([
    loadProductCertificate(context, productId),
    merchant.shop.record(),
  ]);
  const current = productCertificate.gccId === null ? null : await ownCertificate(context, productCertificate.gccId);
  if (!current || !record) return { faults: { reason: 'nothing_to_void' } };
  try {
    if (!hasEnded(current.status)) await certificates.void(current.id, { reason: trimmed, actor: record.family });
  } catch (error) {
    // The certificate was already voided in another window, so the reason entered in that window applies.
    if (!(error instanceof StoreError && error.code === 'certificate_ended')) throw error;
  }
  const end = (await certificates.get(current.id))?.voidReason ?? trimmed;
  await recordVoided(merchant, productId, { gccId: current.id, reason: end });
  return { voided: current.id };
}

/** Returns the PDF of this shop's issued certificate, or null if the ID is unknown or belongs to another shop. */
export async function certificatePdf(context: IssuingContext, id: string): Promise<Response | null> {
  const certificate = await ownCertificate(context, id);
  if (!certificate) return null;
  const kind = certificateKind(readRecord(certificate.record));
  return fileResponse(await context.certificates.pdf(id), `${kind}-${id}`, 'pdf');
}

/**
 * Returns a draft's PDF, marked as a draft. Returns null if the product has no draft, the draft isn't complete enough
 * to render, or an attached file was lost.
 */
export async function previewPdf(context: IssuingContext, productId: string): Promise<Response | null> {
  const draft = readDraft((await loadProductCertificate(context, productId)).draft);
  if (!draft) return null;
  try {
    const attachments = await readDraftFiles(context.merchant.shop, draft.id);
    const on = { ...previewContext(draft, context), attachments };
    const { pdf } = await context.drawing.draw(requestBody(draft.fields), on, drawingCaller(context));
    return fileResponse(pdf, `DRAFT-${draft.id}`, 'pdf');
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof FileLost) return null;
    throw error;
  }
}
