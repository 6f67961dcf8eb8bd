import type { LabList } from '@compliance/core/entry';
import type { PoolCaller } from '@compliance/crawler/pool';
import type { CertificateDrawing } from '@compliance/drawing';
import type { SignCertificate } from '@compliance/signing';
import type { Certificate } from '@compliance/store';
import type { ShopStore } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';
import type { SignatureReader } from './signature.ts';

/**
 * Context for issuing one shop's certificates, with the merchant, stored certificates, and verification URL.
 */
export interface IssuingContext {
  readonly merchant: Merchant;
  readonly certificates: ShopStore['certificates'];
  /**
   * Base URL of the verification service, or null if the operator hasn't configured it. Certificates can't be issued
   * without this URL.
   */
  readonly baseUrl: string | null;
  /** CPSC-accepted laboratories, or null if the operator hasn't supplied a list. */
  readonly acceptedLabs: LabList | null;
  readonly clock: () => number;
  readonly drawing: CertificateDrawing;
  /** Signs issued certificates, or null if the operator hasn't configured a signing key. */
  readonly sign: SignCertificate | null;
  readonly readSignature: SignatureReader;
  /** Logs a failure that the merchant can't resolve. */
  readonly logFailure: (error: unknown, where: object) => void;
}

/** App dependencies that the certificate code uses. */
interface CertificateApp {
  readonly store: Pick<ShopStore, 'certificates'>;
  readonly complianceUrl: string | null;
  readonly reference: { readonly labs: LabList | null };
  readonly drawing: CertificateDrawing;
  readonly sign: SignCertificate | null;
  readonly readSignature: SignatureReader;
  readonly logFailure: (error: unknown, where: object) => void;
}

/** Returns the issuing context for a request's merchant. */
export const issuingContext = ({
  app,
  merchant,
}: {
  readonly app: CertificateApp;
  readonly merchant: Merchant;
}): IssuingContext => ({
  merchant,
  certificates: app.store.certificates,
  baseUrl: app.complianceUrl,
  acceptedLabs: app.reference.labs,
  clock: Date.now,
  drawing: app.drawing,
  sign: app.sign,
  readSignature: app.readSignature,
  logFailure: app.logFailure,
});

/** Returns this shop's certificate with the given ID, or null if the ID is unknown or belongs to another shop. */
export async function ownCertificate(
  { merchant, certificates }: IssuingContext,
  id: string,
): Promise<Certificate | null> {
  const [certificate, record] = await Promise.all([certificates.get(id), merchant.shop.record()]);
  return certificate && certificate.family === record?.family ? certificate : null;
}

/** Time limit, in milliseconds, for generating a certificate or label, including the time in the queue. */
const DRAWING_MS = 25_000;

/** Returns the shop as a worker pool caller. The pool gives shops equal shares of the workers' time. */
export const drawingCaller = ({ merchant }: Pick<IssuingContext, 'merchant'>): PoolCaller => ({
  ...{ lane: 'keyed', tenant: merchant.domain },
  signal: AbortSignal.timeout(DRAWING_MS),
});

const PRODUCT = 'gid://shopify/Product/';

/**
 * Converts between a product's global ID and the numeric ID in URLs.
 *
 * @example productGid('42') // 'gid://shopify/Product/42'
 */
export const productGid = (number: string): string => `${PRODUCT}${number}`;
export const productNumber = (gid: string): string => gid.slice(PRODUCT.length);
