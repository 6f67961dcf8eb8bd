import { StoreError } from '../errors.ts';

/** One page of a list. To get the next page, pass `next` as `cursor`; on the last page, `next` is null. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/**
 * Page request: at most `limit` rows (1 to 1,000), from the start of the list or after the page that returned `cursor`.
 */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
}

/** Position of a row in a list: the row's values in the sort columns. */
export type ListPosition = readonly (string | number)[];

/** Database query for one page. `limit` includes one extra row, which shows whether there is another page. */
export interface PageRequest<P extends ListPosition> {
  readonly limit: number;
  /** Position of the last row on the previous page, or null for the start of the list. */
  readonly after: P | null;
  page<Row, Shown>(rows: readonly Row[], position: (row: Row) => P, show: (row: Row) => Shown): Page<Shown>;
}

/**
 * Parses a page request. Rejects a cursor unless its position has the same number and types of values as the sample
 * position `like`.
 *
 * @throws StoreError with `cursor_invalid`
 */
export function pageRequest<P extends ListPosition>({ limit, cursor }: PageQuery, like: P): PageRequest<P> {
  const shown = Math.min(Math.max(Math.trunc(limit), 1), 1000);
  return {
    limit: shown + 1,
    after: cursor ? readCursor(cursor, like) : null,
    page(rows, position, show) {
      const kept = rows.slice(0, shown);
      const last = kept.at(-1);
      const next = rows.length > shown && last ? writeCursor(position(last)) : null;
      return { rows: kept.map(show), next };
    },
  };
}

function writeCursor(position: ListPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor<P extends ListPosition>(cursor: string, like: P): P {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    position = null;
  }
  const isOurs =
    Array.isArray(position) &&
    position.length === like.length &&
    position.every(
      (value, i) =>
        typeof value === typeof like[i] &&
        (typeof value === 'string' ? !value.includes('\0') : Number.isSafeInteger(value)),
    );
  if (!isOurs)
    throw new StoreError('cursor_invalid', 'The cursor is invalid for this list. Start again from the first page.');
  return position as P;
}
