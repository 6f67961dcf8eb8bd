import {
  type CertificateContext,
  type CertificateEnd,
  type CertificateRecord,
  InvalidRequest,
  type PreparedSignature,
  type SignatureFacts,
} from '@compliance/core/entry';
import { type Pool, type PoolCaller, siblingModule } from '@compliance/crawler/pool';
import {
  drawLabel,
  drawMark,
  drawRecord,
  drawRequest,
  drawSignature,
  drawTrackingLabel,
  type LabelJob,
  type LabelOverflow,
  type Rejection,
  validateCertificateRequest,
} from './drawing-job.ts';

/**
 * Functions that validate certificate requests and draw the PDFs. The same arguments always result in the same bytes.
 */
export interface CertificateDrawing {
  /** Validates a request body. @throws InvalidRequest with every validation issue */
  validate(body: unknown, context: CertificateContext, caller: PoolCaller): Promise<CertificateRecord>;
  /**
   * Validates a request body and creates the certificate, with the context's attachments.
   *
   * @throws InvalidRequest with every validation issue
   */
  draw(
    body: unknown,
    context: CertificateContext,
    caller: PoolCaller,
  ): Promise<{ readonly record: CertificateRecord; readonly pdf: Uint8Array }>;
  /** Draws a certificate from a valid record. */
  render(record: CertificateRecord, caller: PoolCaller): Promise<Uint8Array>;
  /** Marks a PDF as superseded or voided on every page. */
  markEnded(pdf: Uint8Array, end: CertificateEnd, caller: PoolCaller): Promise<Uint8Array>;
  /**
   * Adds a signature placeholder to a PDF, for `signPdf` in `@compliance/signing`. The workers never have access to the
   * key.
   */
  prepareSignature(pdf: Uint8Array, facts: SignatureFacts, caller: PoolCaller): Promise<PreparedSignature>;
  /**
   * Draws a label: text for SVG and ZPL, and bytes for PDF.
   *
   * @throws RangeError if the content doesn't fit on the label
   */
  label(job: LabelJob, caller: PoolCaller): Promise<string | Uint8Array>;
  /** Draws the tracking label sheet of a Children's Product Certificate. */
  trackingLabel(record: CertificateRecord, caller: PoolCaller): Promise<Uint8Array>;
}

const jobModule = siblingModule(import.meta.url, 'drawing-job');

/**
 * Validates and draws certificates in a pool's worker processes. Workers that draw certificates never parse pages. The
 * event loop isn't blocked, and callers share the workers fairly.
 *
 * @throws PoolError from the returned methods
 * @example const drawing = drawInPool(createPool({ workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 }));
 */
export function drawInPool(pool: Pool): CertificateDrawing {
  const runnerFor = (caller: PoolCaller) => pool.as({ target: 'certificates', ...caller }, 'drawings');
  return {
    validate: async (body, context, caller) =>
      accepted(
        await runnerFor(caller).run<typeof validateCertificateRequest>(jobModule, 'validateCertificateRequest', {
          body,
          context,
        }),
      ),
    draw: async (body, context, caller) =>
      accepted(await runnerFor(caller).run<typeof drawRequest>(jobModule, 'drawRequest', { body, context })),
    render: (record, caller) => runnerFor(caller).run<typeof drawRecord>(jobModule, 'drawRecord', record),
    markEnded: (pdf, end, caller) => runnerFor(caller).run<typeof drawMark>(jobModule, 'drawMark', { pdf, end }),
    prepareSignature: (pdf, facts, caller) =>
      runnerFor(caller).run<typeof drawSignature>(jobModule, 'drawSignature', { pdf, facts }),
    label: async (job, caller) => fitting(await runnerFor(caller).run<typeof drawLabel>(jobModule, 'drawLabel', job)),
    trackingLabel: (record, caller) =>
      runnerFor(caller).run<typeof drawTrackingLabel>(jobModule, 'drawTrackingLabel', record),
  };
}

/** Validates and draws certificates in this process, which can't respond to other requests in the meantime. */
export const drawInProcess: CertificateDrawing = {
  validate: async (body, context) => accepted(validateCertificateRequest({ body, context })),
  draw: async (body, context) => accepted(await drawRequest({ body, context })),
  render: drawRecord,
  markEnded: (pdf, end) => drawMark({ pdf, end }),
  prepareSignature: (pdf, facts) => drawSignature({ pdf, facts }),
  label: async job => fitting(await drawLabel(job)),
  trackingLabel: drawTrackingLabel,
};

/** Returns the result of an accepted request. @throws InvalidRequest if the request was rejected */
function accepted<Result extends object>(result: Result | Rejection): Result {
  if ('issues' in result) throw new InvalidRequest(result.issues);
  return result;
}

/** Returns a label's content. @throws RangeError if the content doesn't fit on the label */
function fitting(result: { content: string | Uint8Array } | LabelOverflow): string | Uint8Array {
  if ('overflow' in result) throw new RangeError(result.overflow);
  return result.content;
}
