import type { CertificateRecord } from '@compliance/core/entry';
import { csvResponse } from '../csv.ts';
import { everyRow } from '../paging.ts';
import { type Desk, ownCertificate } from './desk.ts';
import { titleOf } from './list.ts';

const HEAD = ['Product', 'Certificate', 'Status', 'Issued', 'Voided', 'Reason', 'Verification', 'SHA-256'] as const;

/** The newest certificate of every product that has one, as CSV. Times are UTC. */
export const exportCertificates = (desk: Desk): Response => csvResponse('certificates.csv', HEAD, rows(desk));

async function* rows(desk: Desk): AsyncGenerator<(string | null)[]> {
  const { shop } = desk.merchant;
  for (const state of ['issued', 'voided', 'draft'] as const) {
    const list = (cursor: string | null) => shop.productCertificates.list({ state, limit: 200, cursor });
    for await (const { productId, gccId } of everyRow(list)) {
      const kept = gccId === null ? null : await ownCertificate(desk, gccId);
      if (!kept) continue;
      const { request, verification_url } = JSON.parse(kept.record) as CertificateRecord;
      const name = (await titleOf(shop, productId)) ?? request.product_info.name;
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
      ];
    }
  }
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
