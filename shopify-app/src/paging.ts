import { type Page, StoreError } from '@compliance/store';

/**
 * Every row of a list, a page at a time.
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
 * The page after a cursor, or the first one when no list gave the cursor: an address may come from anywhere.
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
