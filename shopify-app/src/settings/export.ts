import { Readable } from 'node:stream';
import type { ShopStore } from '@compliance/store/shop';

const PAGE = 100;

/**
 * Streams all of a shop's data as JSON Lines. The export contains the shop's own rows and its certificate records but
 * never tokens.
 */
export function exportShop(store: ShopStore, domain: string): Response {
  const lines = Readable.from(linesOf(store, domain), { objectMode: false });
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="${domain}.jsonl"`,
    },
  });
}

async function* linesOf(store: ShopStore, domain: string): AsyncGenerator<string> {
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
