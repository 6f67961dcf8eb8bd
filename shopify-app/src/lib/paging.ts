import { StoreError } from '@compliance/store';
import type { Page } from '@compliance/store/shop';

/**
 * Iterates over all rows in a list, one page at a time.
 *
 * @example
 * for await (const scan of everyRow(cursor => shop.scans.list({ limit: 500, cursor }))) …
 */
export async function* everyRow<Row>(read: (cursor: string | null) => Promise<Page<Row>>): AsyncGenerator<Row> {
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await read(cursor);
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

/**
 * Returns the page after a cursor. Returns the first page if the cursor is invalid, because the URL is untrusted.
 *
 * @example
 * const page = await pageAt(asked.cursor, cursor => shop.scans.list({ limit: 25, cursor }));
 */
export async function pageAt<Row>(
  cursor: string | null | undefined,
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  try {
    return await read(cursor ?? undefined);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'cursor_invalid') return await read(undefined);
    throw error;
  }
}
