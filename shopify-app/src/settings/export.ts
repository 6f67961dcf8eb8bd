import { Readable } from 'node:stream';
import type { Store } from '@compliance/store';

const PAGE = 100;

/**
 * Everything that is kept of a shop, as JSON lines, streamed: the shop's own rows, and the records of the certificates that
 * were issued for it. No token is among them.
 */
export function exportShop(store: Store, domain: string): Response {
  const lines = Readable.from(linesOf(store, domain), { objectMode: false });
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="${domain}.jsonl"`,
    },
  });
}

async function* linesOf(store: Store, domain: string): AsyncGenerator<string> {
  const shop = store.shop(domain);
  const record = await shop.record();
  yield* shop.export();
  if (!record) return;
  let before: string | undefined;
  do {
    const page = await store.certificates.list({ family: record.family, limit: PAGE, before });
    for (const { record: text, ...certificate } of page)
      yield `${JSON.stringify({ table: 'certificates', row: { ...certificate, record: JSON.parse(text) } })}\n`;
    before = page.length === PAGE ? page.at(-1)!.id : undefined;
  } while (before !== undefined);
}
