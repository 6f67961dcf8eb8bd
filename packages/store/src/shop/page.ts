import { StoreError } from '../errors.ts';

/** One page of a list. `next` is the `cursor` of the page after it, or null when this is the last. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Which page: at most `limit` rows (1 to 1,000), from the beginning or after the page that gave `cursor`. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
}

/** Where a row stands in the order of its list: the values that the list is sorted by. */
type Position = readonly (string | number)[];

/** A page as the database is asked for it: one row more than it shows tells whether there is another. */
export interface PageRequest<P extends Position> {
  readonly limit: number;
  /** After which position, or null for the beginning. */
  readonly after: P | null;
  page<Row, Shown>(rows: readonly Row[], position: (row: Row) => P, show: (row: Row) => Shown): Page<Shown>;
}

/** Reads a query. `like` is any position of the list: a cursor of another shape is refused. @throws StoreError `cursor_invalid` */
export function pageRequest<P extends Position>({ limit, cursor }: PageQuery, like: P): PageRequest<P> {
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

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor<P extends Position>(cursor: string, like: P): P {
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
  if (!isOurs) throw new StoreError('cursor_invalid', 'No list gave this cursor. Begin again at the first page.');
  return position as P;
}
