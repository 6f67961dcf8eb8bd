import {
  type CertificateContext,
  type CertificateEnd,
  type CertificateRecord,
  type CertificateStatus,
  certificate,
  InvalidRequest,
  type Issue,
  LABEL_WRITERS,
  type LabelFileFormat,
  type LabelFormat,
  layOutLabel,
  markEnded,
  openFonts,
  type PreparedSignature,
  prepareSignature,
  render,
  renderTrackingLabel,
  type SignatureFacts,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';

/** This process's fonts, loaded on first use and reused for later certificates. */
const fonts = openFonts(loadFace);

/** A request for a certificate, not yet validated. */
export interface RequestJob {
  readonly body: unknown;
  readonly context: CertificateContext;
}

/**
 * Validation issues in a rejected request. The issues are sent as plain data, because an error object loses its custom
 * properties when it's sent to another process.
 */
export interface Rejection {
  readonly issues: readonly Issue[];
}

/**
 * Validates a request. `drawInPool` runs this function in a worker, because validating many requests at once would
 * block the event loop.
 */
export function validateCertificateRequest({ body, context }: RequestJob): CertificateRecord | Rejection {
  try {
    return certificate(body, context);
  } catch (error) {
    if (error instanceof InvalidRequest) return { issues: error.issues };
    throw error;
  }
}

/**
 * Validates a request and draws its certificate with the attached files. `drawInPool` runs this function in a worker.
 */
export async function drawRequest(
  job: RequestJob,
): Promise<{ record: CertificateRecord; pdf: Uint8Array } | Rejection> {
  const record = validateCertificateRequest(job);
  return 'issues' in record ? record : { record, pdf: await render(record, fonts, job.context.attachments) };
}

/**
 * Draws a certificate from its record. `drawInPool` runs this function in a worker, because drawing would block the
 * event loop.
 */
export const drawRecord = (record: CertificateRecord): Promise<Uint8Array> => render(record, fonts);

/** An issued certificate's PDF, and the status to mark it with. */
export interface MarkJob {
  readonly pdf: Uint8Array;
  readonly end: CertificateEnd;
}

/** Marks every page of a superseded or voided certificate's PDF. `drawInPool` runs this function in a worker. */
export const drawMark = ({ pdf, end }: MarkJob): Promise<Uint8Array> => markEnded(pdf, end, fonts);

/** An issued certificate's record and current status, and the label to draw. */
export interface LabelJob {
  readonly record: CertificateRecord;
  readonly status: CertificateStatus;
  readonly format: LabelFormat;
  readonly file: LabelFileFormat;
}

/** The reason that a certificate's content doesn't fit on a label, as plain data like a {@link Rejection}. */
export interface LabelOverflow {
  readonly overflow: string;
}

/**
 * Draws a certificate's label. `drawInPool` runs this function in a worker, because shaping text would block the event
 * loop.
 */
export async function drawLabel({
  record,
  status,
  format,
  file,
}: LabelJob): Promise<{ content: string | Uint8Array } | LabelOverflow> {
  try {
    return { content: await LABEL_WRITERS[file](await layOutLabel(record, format, fonts, status)) };
  } catch (error) {
    if (error instanceof RangeError) return { overflow: error.message };
    throw error;
  }
}

/** Draws the tracking label sheet of a Children's Product Certificate. `drawInPool` runs this function in a worker. */
export const drawTrackingLabel = (record: CertificateRecord): Promise<Uint8Array> => renderTrackingLabel(record, fonts);

/** A PDF to prepare for signing, and the facts about the signature. */
export interface SignatureJob {
  readonly pdf: Uint8Array;
  readonly facts: SignatureFacts;
}

/**
 * Adds a signature placeholder to a PDF. `drawInPool` runs this function in a worker, because parsing a PDF would block
 * the event loop.
 */
export const drawSignature = ({ pdf, facts }: SignatureJob): Promise<PreparedSignature> => prepareSignature(pdf, facts);
