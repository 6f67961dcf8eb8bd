import {
  type CertificateRecord,
  catalogue,
  currentAttestation,
  type MissingElement,
  type Warning,
} from '@compliance/core/entry';
import type { CertificateStatus, ProductCertificateEvent } from '@compliance/store';
import { type Desk, ownCertificate, productGid } from './desk.ts';
import { type Check, checkDraft, type Draft, readDraft } from './draft.ts';
import { standingOf } from './write.ts';

/** An issued certificate as a merchant sees it. Times are ms since epoch. */
interface CertificateFacts {
  readonly id: string;
  readonly status: CertificateStatus;
  readonly issuedAt: number;
  readonly voidReason: string | null;
  readonly sha256: string;
  readonly verificationUrl: string;
  readonly certifier: string | null;
  readonly attestedBy: string | null;
  readonly rules: readonly { readonly citation: string; readonly subject: string | null }[];
  readonly warnings: readonly Warning[];
  readonly missing: readonly MissingElement[];
}

/** Everything about the certificates of one product. */
export interface ProductView {
  /** The number of the product, as in addresses. */
  readonly product: string;
  /** Null when the product is in the catalog no more. */
  readonly title: string | null;
  readonly timeZone: string;
  /** Whether it is known where certificates are verified: without that none is issued. */
  readonly canIssue: boolean;
  readonly draft: (Draft & { readonly check: Check }) | null;
  readonly current: CertificateFacts | null;
  readonly history: readonly Pick<ProductCertificateEvent, 'id' | 'event' | 'gccId' | 'supersedes' | 'reason' | 'at'>[];
  /** The words that a certifier attests with, and the rule they are from. */
  readonly attestation: { readonly sentences: readonly string[]; readonly citation: string; readonly url: string };
  readonly catalogue: string;
}

/** What the page of a product shows, from what is stored alone; null when nothing is known of the product. */
export async function productOf(desk: Desk, product: string): Promise<ProductView | null> {
  const { shop } = desk.merchant;
  const productId = productGid(product);
  const standing = await standingOf(desk, productId);
  const [record, history, variants, current] = await Promise.all([
    shop.record(),
    shop.productCertificates.history(productId),
    shop.variants.list({ productId, limit: 1 }),
    standing.gccId === null ? null : ownCertificate(desk, standing.gccId),
  ]);
  const title = variants.rows[0]?.productTitle ?? null;
  if (title === null && standing.state === 'none') return null;
  const draft = readDraft(standing.draft);
  const { sentences, citation, url } = currentAttestation;
  return {
    product,
    title,
    timeZone: record?.timeZone ?? 'UTC',
    canIssue: desk.baseUrl !== null,
    draft: draft && { ...draft, check: checkDraft(draft, desk.clock()) },
    current: current && {
      id: current.id,
      status: current.status,
      issuedAt: current.createdAt,
      voidReason: current.voidReason,
      sha256: current.sha256,
      ...factsOf(JSON.parse(current.record)),
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
    catalogue: catalogue.catalogue,
  };
}

function factsOf({ verification_url, certifying_party, request, rules, warnings, completeness }: CertificateRecord) {
  return {
    verificationUrl: verification_url,
    certifier: certifying_party?.name ?? null,
    attestedBy: request.attestation?.attested_by ?? null,
    rules: rules.map(({ citation, subject }) => ({ citation, subject })),
    warnings,
    missing: completeness.missing,
  };
}
