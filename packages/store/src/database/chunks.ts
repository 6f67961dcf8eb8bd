const SIZES = [100, 10, 1] as const;

/**
 * Splits rows for multi-row statements into chunks of 100, 10, and 1. The SQLite driver caches one prepared statement
 * for each SQL text, so chunks come in only a few sizes.
 *
 * @example
 * for (const part of chunks(rows)) await trx.insertInto('shop_theme_files').values(part).execute();
 */
export function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let from = 0;
  for (const size of SIZES) {
    for (; rows.length - from >= size; from += size) yield rows.slice(from, from + size);
  }
}

/**
 * Pads an `in (…)` list to 1, 10, 100, or 1,000 IDs (the maximum) by repeating the last ID. The padding limits the
 * number of different SQL statements.
 */
export function padIds(ids: readonly string[]): string[] {
  const size = [1, 10, 100].find(each => each >= ids.length) ?? 1000;
  return [...ids, ...Array.from({ length: size - ids.length }, () => ids.at(-1) ?? '')];
}
