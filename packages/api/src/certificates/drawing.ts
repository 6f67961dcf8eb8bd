import { type CertificateEnd, type CertificateRecord, type Fonts, markEnded, render } from '@compliance/core/entry';
import { type Pool, type PoolCaller, siblingModule } from '@compliance/crawler/pool';
import type { drawCertificate, drawMark } from './drawing-job.ts';

/** Draws certificate PDFs. The same arguments always result in the same bytes. */
export interface CertificateDrawing {
  render(record: CertificateRecord, caller: PoolCaller): Promise<Uint8Array>;
  /** Marks a PDF as superseded or voided on every page. */
  markEnded(pdf: Uint8Array, end: CertificateEnd, caller: PoolCaller): Promise<Uint8Array>;
}

/** Module that draws certificates in worker processes. The pool's `modules` must contain it. */
export const drawingModule = siblingModule(import.meta.url, 'drawing-job');

/**
 * Draws certificates in the worker processes of a pool, in processes that never parse a page. The event loop stays free, and
 * callers share the workers fairly.
 *
 * @throws PoolError from the returned methods
 * @example const drawing = drawInPool(createPool({ …options, modules: [drawingModule] }));
 */
export function drawInPool(pool: Pool): CertificateDrawing {
  const runnerFor = (caller: PoolCaller) => pool.as({ target: 'certificates', ...caller }, 'drawings');
  return {
    render: (record, caller) => runnerFor(caller).run<typeof drawCertificate>(drawingModule, 'drawCertificate', record),
    markEnded: (pdf, end, caller) => runnerFor(caller).run<typeof drawMark>(drawingModule, 'drawMark', { pdf, end }),
  };
}

/**
 * Draws certificates in this process, which can't respond to other requests in the meantime.
 *
 * @example const drawing = drawInProcess(openFonts(loadFace));
 */
export function drawInProcess(fonts: Fonts): CertificateDrawing {
  return {
    render: record => render(record, fonts),
    markEnded: (pdf, end) => markEnded(pdf, end, fonts),
  };
}
