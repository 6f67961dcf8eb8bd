import type {
  certificateDetails,
  certificateLabel,
  certificateSummary,
  certificateVerification,
  dueTests,
  dueTestsRequest,
  labelRequest,
  trackingLabelSheet,
} from '@compliance/contract/certificate';
import type { CertificateKind, CertificateStatus, LabList } from '@compliance/core/entry';
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
  /** Lifetime of the idempotency key, in milliseconds. Defaults to 24 hours. */
  idempotencyLifeMs?: number;
  /** Returns the pool caller for rendering jobs. The jobs use this caller's share of the worker pool. */
  poolCaller: () => PoolCaller;
}

/** A certificate list item in an API response. */
export type CertificateListItem = z.output<typeof certificateSummary>;

/** A certificate in an API response. */
export type CertificateDetails = z.output<typeof certificateDetails>;

/** A certificate's label in an API response. */
type CertificateLabel = z.output<typeof certificateLabel>;

/** Filters for a certificate list. Dates are UTC calendar dates, and the date range is inclusive. */
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
 * Manages the caller's certificates. Methods that change certificates can be retried safely with the same
 * idempotency key. For a certificate that belongs to another key family, all methods except `verify` throw the error
 * `certificate_not_found`.
 */
export interface CertificateService {
  /** The operator's list of CPSC-accepted laboratories, or `null` if there's no list. */
  readonly acceptedLabs: LabList | null;
  /**
   * Issues a certificate: builds the record, renders and stores the PDF, and signs the link. Rejects a request body for
   * the other certificate type.
   */
  issue(kind: CertificateKind, body: unknown, caller: CertificateCaller): Promise<CertificateDetails>;
  get(id: string, caller: CertificateCaller): Promise<CertificateDetails>;
  /** Renders a certificate's label. If the certificate isn't complete, the label shows its status. */
  label(
    id: string,
    format: Omit<z.output<typeof labelRequest>, 'id'>,
    caller: CertificateCaller,
  ): Promise<CertificateLabel>;
  /** Renders the tracking label sheet for a Children's Product Certificate. */
  trackingLabel(id: string, caller: CertificateCaller): Promise<z.output<typeof trackingLabelSheet>>;
  /** Lists certificates with periodic tests that are due or overdue. */
  due(query: z.output<typeof dueTestsRequest>, caller: CertificateCaller): Promise<z.output<typeof dueTests>>;
  /**
   * Returns a certificate's public information, regardless of which account it belongs to. If `sha256` isn't null, also
   * compares this file hash with the certificate's PDF hashes.
   */
  verify(
    id: string,
    sha256: string | null,
    caller: CertificateCaller,
  ): Promise<z.output<typeof certificateVerification>>;
  list(filters: CertificateFilters, caller: CertificateCaller): Promise<CertificateList>;
  /** Voids a certificate. Voiding a certificate again for the same reason returns the voided certificate. */
  void(id: string, reason: string, caller: CertificateCaller): Promise<CertificateDetails>;
  /**
   * Issues a complete General Certificate of Conformity that supersedes another certificate, and returns the new
   * certificate.
   */
  supersede(id: string, body: unknown, caller: CertificateCaller): Promise<CertificateDetails>;
}
