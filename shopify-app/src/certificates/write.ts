import { randomUUID } from 'node:crypto';
import type { CertificateRecord, CertificateRequest } from '@compliance/core/entry';
import type { Certificate, ProductCertificate } from '@compliance/store';
import { type Desk, ownCertificate } from './desk.ts';
import { type Check, checkDraft, type Draft, type Fields, fieldsOf, readDraft, readFields } from './draft.ts';
import { prefill } from './prefill.ts';

/** How many earlier certificates are looked through for one that may be copied from. */
const EARLIER = 20;

const requestOf = ({ record }: Certificate): CertificateRequest => (JSON.parse(record) as CertificateRecord).request;

/**
 * Where a product stands, after what was left half done is set right: a process may have died between a certificate and its
 * note, and whoever runs the service may have voided one.
 */
export async function standingOf(desk: Desk, productId: string): Promise<ProductCertificate> {
  const { shop, user } = desk.merchant;
  const standing = await shop.productCertificates.get(productId);
  const draft = readDraft(standing.draft);
  const made = draft && (await ownCertificate(desk, draft.id));
  if (made)
    return shop.productCertificates.issued(productId, { gccId: made.id, supersedes: made.supersedes, by: user ?? '' });
  if (standing.state !== 'issued' || !standing.gccId) return standing;
  const current = await desk.certificates.get(standing.gccId);
  if (current?.status !== 'void') return standing;
  return shop.productCertificates.voided(productId, { gccId: current.id, reason: current.voidReason ?? '', by: '' });
}

/**
 * Begins a certificate, or goes on with the one that was begun. The next one of a product begins as the last one was; the
 * first one with what Shopify knows and with who certified, kept and tested the last time.
 *
 * @returns false when there is no such product
 */
export async function beginDraft(desk: Desk, productId: string): Promise<boolean> {
  const { shop } = desk.merchant;
  const standing = await standingOf(desk, productId);
  if (readDraft(standing.draft)) return true;
  const last = standing.gccId && (await ownCertificate(desk, standing.gccId));
  const first = last ? fieldsOf(requestOf(last)) : await prefill(desk.merchant, productId);
  if (!first) return false;
  const same = last ? {} : await sameAsLastTime(desk);
  const draft: Draft = { id: randomUUID(), fields: { ...first, ...same }, fromEarlier: Object.keys(same).length > 0 };
  await shop.productCertificates.saveDraft(productId, draft);
  return true;
}

/** Who certifies, keeps the records and tests: as on the newest certificate in force, without what was about its product. */
async function sameAsLastTime({ merchant, certificates }: Desk): Promise<Fields> {
  const record = await merchant.shop.record();
  if (!record) return {};
  const earlier = await certificates.list({ family: record.family, limit: EARLIER });
  const last = earlier.find(({ status }) => status === 'valid');
  if (!last) return {};
  const { certifier, records_contact, testing_lab } = requestOf(last);
  const { test_date: _, report_ids: __, ...lab } = testing_lab;
  return { ...(certifier && { certifier }), ...(records_contact && { records_contact }), testing_lab: lab };
}

/** What saving a draft gives: how it stands, or that there is none to save to any more. */
export type Saved = Check | 'gone' | 'unreadable';

/**
 * Keeps what the form holds. One that was issued or begun anew meanwhile, in another window, is left alone.
 *
 * @param draftId the number of the draft that the form shows
 * @param text the fields as JSON
 */
export async function saveDraft(desk: Desk, productId: string, draftId: string, text: string): Promise<Saved> {
  const fields = readFields(text);
  if (!fields) return 'unreadable';
  const draft = readDraft((await standingOf(desk, productId)).draft);
  if (draft?.id !== draftId) return 'gone';
  const next = { ...draft, fields };
  await desk.merchant.shop.productCertificates.saveDraft(productId, next);
  return checkDraft(next, desk.clock());
}
