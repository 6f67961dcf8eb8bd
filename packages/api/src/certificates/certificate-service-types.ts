import type { certificateDetails, certificateSummary } from '@compliance/contract/certificate';
import type { CertificateKind, CertificateStatus } from '@compliance/core/entry';
import type { PoolCaller } from '@compliance/crawler/pool';
import type { z } from 'zod';

/** Caller of a certificate operation. */
export interface CertificateCaller {
  now: number;
  /** The caller's key family. The caller can't access certificates that belong to other key families. */
  family: string;
  keyId: string;
  requestId: string;
  /** The client's `Idempotency-Key` header, or null. */
  idempotencyKey: string | null;
  /** How long the idempotency key is remembered, in milliseconds. Defaults to 24 hours. */
  idempotencyLifeMs?: number;
  /** Returns the pool caller for rendering jobs, which use that caller's share of the worker pool. */
  poolCaller: () => PoolCaller;
}

/** A certificate list item in an API response. */
export type CertificateListItem = z.output<typeof certificateSummary>;

/** A certificate in an API response. */
export type CertificateDetails = z.output<typeof certificateDetails>;

/** Filters for a certificate list. Dates are UTC calendar dates, and the range includes both its first and last day. */
interface CertificateFilters {
  status?: CertificateStatus | undefined;
  issued_from?: string | undefined;
  issued_to?: string | undefined;
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** One page of a certificate list, newest first. `next_cursor` is null on the last page. */
interface CertificateList {
  certificates: CertificateListItem[];
  next_cursor: string | null;
}

/**
 * Manages the caller's certificates. A method that changes a certificate can be repeated safely with the same
 * idempotency key. A certificate that belongs to another key family results in the error `certificate_not_found`.
 */
export interface CertificateService {
  /**
   * Issues a certificate: builds the record, renders and stores the PDF, and signs the link. Rejects a request body for the other
   * certificate type.
   */
  issue(kind: CertificateKind, body: unknown, caller: CertificateCaller): Promise<CertificateDetails>;
  get(id: string, caller: CertificateCaller): Promise<CertificateDetails>;
  list(filters: CertificateFilters, caller: CertificateCaller): Promise<CertificateList>;
  /** Voids a certificate. Voiding it again for the same reason returns the voided certificate. */
  void(id: string, reason: string, caller: CertificateCaller): Promise<CertificateDetails>;
  /** Issues a complete certificate that supersedes another one, and returns the new certificate. */
  supersede(id: string, body: unknown, caller: CertificateCaller): Promise<CertificateDetails>;
}
