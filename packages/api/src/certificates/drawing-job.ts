import { type CertificateEnd, type CertificateRecord, markEnded, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';

/** Fonts of this worker process, loaded on first use and kept for the next certificates. */
const fonts = openFonts(loadFace);

/** Draws a certificate. Runs in a pool worker, because drawing would block the event loop. */
export const drawCertificate = (record: CertificateRecord): Promise<Uint8Array> => render(record, fonts);

/** A certificate's PDF as issued, and the end with which to mark it. */
export interface MarkJob {
  readonly pdf: Uint8Array;
  readonly end: CertificateEnd;
}

/** Marks every page of an ended certificate's PDF. Runs in a pool worker. */
export const drawMark = ({ pdf, end }: MarkJob): Promise<Uint8Array> => markEnded(pdf, end, fonts);
