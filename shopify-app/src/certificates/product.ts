import {
  type Attachment,
  type CertificateKind,
  type CertificateStatus,
  type Contradiction,
  catalog,
  certificateKind,
  currentAttestation,
  hasEnded,
  type PublishedRecord,
  type Retest,
  readRecord,
  type Warning,
} from '@compliance/core/entry';
import type { ProductCertificateEvent } from '@compliance/store/shop';
import { type IssuingContext, ownCertificate, productGid } from './certificate-context.ts';
import { type Check, checkDraft, type Draft, readDraft } from './draft.ts';
import { type DraftFile, draftFilesOf, MAX_DRAFT_BYTES } from './draft-files.ts';
import { loadProductCertificate } from './drafts.ts';
import { type MissingDetail, missingDetails } from './missing-details.ts';
import { retestsDue } from './retests.ts';
import type { CertificateSignature } from './signature.ts';

/** Issued certificate as shown to the merchant. Times are in milliseconds since the Unix epoch. */
interface CertificateFacts {
  readonly id: string;
  readonly kind: CertificateKind;
  readonly status: CertificateStatus;
  /** Whether the certificate was superseded or voided. If so, its status can't change again. */
  readonly ended: boolean;
  readonly issuedAt: number;
  readonly voidReason: string | null;
  readonly sha256: string;
  readonly verificationUrl: string;
  readonly certifier: string | null;
  /** Files attached to the PDF. */
  readonly files: readonly Pick<Attachment, 'filename' | 'size' | 'sha256'>[];
  readonly signature: CertificateSignature | 'unreadable' | null;
  readonly attestedBy: string | null;
  readonly rules: readonly { readonly citation: string; readonly subject: string | null }[];
  readonly warnings: readonly Warning[];
  readonly missing: readonly MissingDetail[];
  readonly contradictions: readonly Contradiction[];
  /**
   * Tests that are due soon or overdue, earliest first. The list is empty for a certificate that was superseded or
   * voided.
   */
  readonly retests: readonly Pick<Retest, 'citation' | 'due'>[];
}

/** Content of a product's certificate page. */
export interface ProductView {
  /** Numeric product ID, as used in URLs. */
  readonly product: string;
  /** Product title, or null if the product is no longer in the catalog. */
  readonly title: string | null;
  readonly timeZone: string;
  /** Whether the operator has configured the verification URL, which is required for issuing certificates. */
  readonly canIssue: boolean;
  readonly draft:
    | (Draft & {
        readonly check: Check;
        readonly files: readonly DraftFile[];
        /** Remaining space for attached files, in bytes. */
        readonly fileSpace: number;
      })
    | null;
  readonly current: CertificateFacts | null;
  readonly history: readonly Pick<ProductCertificateEvent, 'id' | 'event' | 'gccId' | 'supersedes' | 'reason' | 'at'>[];
  /** Attestation text and the rule that requires it. */
  readonly attestation: { readonly sentences: readonly string[]; readonly citation: string; readonly url: string };
  readonly catalogue: string;
}

/**
 * Returns the content of a product's certificate page, using only stored data. Returns null if the product is unknown.
 */
export async function productOf(context: IssuingContext, product: string): Promise<ProductView | null> {
  const { shop } = context.merchant;
  const productId = productGid(product);
  const productCertificate = await loadProductCertificate(context, productId);
  const [record, history, variants, current] = await Promise.all([
    shop.record(),
    shop.productCertificates.history(productId),
    shop.variants.list({ productId, limit: 1 }),
    productCertificate.gccId === null ? null : ownCertificate(context, productCertificate.gccId),
  ]);
  const title = variants.rows[0]?.productTitle ?? null;
  if (title === null && productCertificate.state === 'none') return null;
  const draft = readDraft(productCertificate.draft);
  const files = draft ? await draftFilesOf(shop, draft.id) : [];
  const { sentences, citation, url } = currentAttestation;
  return {
    product,
    title,
    timeZone: record?.timeZone ?? 'UTC',
    canIssue: context.baseUrl !== null,
    draft: draft && { ...draft, check: checkDraft(draft, context), files, fileSpace: spaceFor(files) },
    current: current && {
      id: current.id,
      status: current.status,
      ended: hasEnded(current.status),
      issuedAt: current.createdAt,
      voidReason: current.voidReason,
      sha256: current.sha256,
      signature: await context.readSignature(current),
      ...factsOf(readRecord(current.record)),
      retests: hasEnded(current.status)
        ? []
        : retestsDue(readRecord(current.record), context.clock()).map(({ citation, due }) => ({ citation, due })),
    },
    history: history.map(({ id, event, gccId, supersedes, reason, at }) => ({
      id,
      event,
      gccId,
      supersedes,
      reason,
      at,
    })),
    attestation: { sentences, citation, url },
    catalogue: catalog.version,
  };
}

const spaceFor = (files: readonly DraftFile[]): number =>
  MAX_DRAFT_BYTES - files.reduce((sum, { size }) => sum + size, 0);

function factsOf(record: PublishedRecord) {
  const { verification_url, certifying_party, attachments, request, rules, warnings, completeness } = record;
  return {
    kind: certificateKind(record),
    verificationUrl: verification_url,
    certifier: certifying_party?.name ?? null,
    files: (attachments ?? []).map(({ filename, size, sha256 }) => ({ filename, size, sha256 })),
    attestedBy: request.attestation?.attested_by ?? null,
    rules: rules.map(({ citation, subject }) => ({ citation, subject })),
    warnings,
    missing: missingDetails(record),
    contradictions: completeness.contradictions,
  };
}
