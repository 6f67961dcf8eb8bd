import { certificateKind, readRecord } from '@compliance/core/entry';
import { csvResponse } from '../lib/csv.ts';
import { everyRow } from '../lib/paging.ts';
import { type IssuingContext, ownCertificate } from './certificate-context.ts';
import { productTitleOf } from './list.ts';

const HEAD = [
  'Product',
  'Certificate',
  'Status',
  'Issued',
  'Voided',
  'Reason',
  'Verification',
  'SHA-256',
  'Type',
] as const;

/** Returns a CSV file that lists each product's newest certificate. Times are in UTC. */
export const exportCertificates = (context: IssuingContext): Response =>
  csvResponse('certificates.csv', HEAD, rows(context));

async function* rows(context: IssuingContext): AsyncGenerator<(string | null)[]> {
  const { shop } = context.merchant;
  for (const state of ['issued', 'voided', 'draft'] as const) {
    const list = (cursor: string | null) => shop.productCertificates.list({ state, limit: 200, cursor });
    for await (const { productId, gccId } of everyRow(list)) {
      const kept = gccId === null ? null : await ownCertificate(context, gccId);
      if (!kept) continue;
      const record = readRecord(kept.record);
      const { request, verification_url } = record;
      const name = (await productTitleOf(shop, productId)) ?? request.product_info.name;
      const [issued, voided] = [kept.createdAt, kept.voidedAt].map(isoOf);
      yield [
        name,
        kept.id,
        kept.status,
        issued ?? null,
        voided ?? null,
        kept.voidReason,
        verification_url,
        kept.sha256,
        certificateKind(record),
      ];
    }
  }
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
