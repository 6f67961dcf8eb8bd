import {
  type CertificateContext,
  type CertificateEnd,
  type CertificateRecord,
  certificate,
  InvalidRequest,
  type Issue,
  markEnded,
  openFonts,
  render,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';

/** This worker process's fonts, loaded on first use and reused for later certificates. */
const fonts = openFonts(loadFace);

/** A request for a certificate, not yet validated. */
export interface RequestJob {
  readonly body: unknown;
  readonly context: CertificateContext;
}

/**
 * Validation issues in a rejected request. They're sent as plain data, because an error object would lose them when
 * it's sent to another process.
 */
export interface Rejection {
  readonly issues: readonly Issue[];
}

/** Validates a request. Runs in a pool worker, because validating many requests at once would block the event loop. */
export function validateCertificateRequest({ body, context }: RequestJob): CertificateRecord | Rejection {
  try {
    return certificate(body, context);
  } catch (error) {
    if (error instanceof InvalidRequest) return { issues: error.issues };
    throw error;
  }
}

/** Validates a request and draws its certificate. Runs in a pool worker. */
export async function drawRequest(
  job: RequestJob,
): Promise<{ record: CertificateRecord; pdf: Uint8Array } | Rejection> {
  const record = validateCertificateRequest(job);
  return 'issues' in record ? record : { record, pdf: await drawRecord(record) };
}

/** Draws a certificate's record. Runs in a pool worker, because drawing would block the event loop. */
export const drawRecord = (record: CertificateRecord): Promise<Uint8Array> => render(record, fonts);

/** An issued certificate's PDF, and the status to mark it with. */
export interface MarkJob {
  readonly pdf: Uint8Array;
  readonly end: CertificateEnd;
}

/** Marks every page of a superseded or voided certificate's PDF. Runs in a pool worker. */
export const drawMark = ({ pdf, end }: MarkJob): Promise<Uint8Array> => markEnded(pdf, end, fonts);
