import { type CertificateRecord, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';

/** Fonts of this worker process, loaded on first use and kept for the next certificates. */
const fonts = openFonts(loadFace);

/** Draws a certificate. Runs in a pool worker, because drawing would block the event loop. */
export const drawShopCertificate = (record: CertificateRecord): Promise<Uint8Array> => render(record, fonts);
