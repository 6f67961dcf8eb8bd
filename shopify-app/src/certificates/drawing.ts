import type { CertificateRecord } from '@compliance/core/entry';
import { type Pool, siblingModule } from '@compliance/crawler/pool';
import { drawShopCertificate } from './drawing-job.ts';

/** Draws the PDF of a shop's certificate. */
export type DrawCertificate = (record: CertificateRecord, shop: string) => Promise<Uint8Array>;

const jobModule = siblingModule(import.meta.url, 'drawing-job');

/** Time limit for drawing a certificate, including the time in the queue, in milliseconds. */
const DRAWING_MS = 25_000;

/** Draws certificates in this process, which can't respond to other requests in the meantime. */
export const drawHere: DrawCertificate = drawShopCertificate;

/** Returns a function that draws certificates in a pool, where shops get equal shares of the workers' time. */
export const drawWithPool =
  (pool: Pool): DrawCertificate =>
  (record, shop) =>
    pool
      .as({ lane: 'keyed', tenant: shop, target: 'certificates', signal: AbortSignal.timeout(DRAWING_MS) }, 'drawings')
      .run<typeof drawShopCertificate>(jobModule, 'drawShopCertificate', record);
