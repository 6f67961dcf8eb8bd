const SIZES = [100, 10, 1] as const;

/**
 * Cuts rows for statements that hold many at once, into parts of 100, 10 and 1. Every other number of rows would be another
 * text of SQL, and on SQLite each text is kept prepared.
 *
 * @example
 * for (const part of slices(rows)) await trx.insertInto('shop_theme_files').values(part).execute();
 */
export function* slices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let from = 0;
  for (const size of SIZES) {
    for (; rows.length - from >= size; from += size) yield rows.slice(from, from + size);
  }
}

/** Ids for an `in (…)`, at most 1,000: the last one repeated until there are 1, 10, 100 or 1,000, for the reason above. */
export function padded(ids: readonly string[]): string[] {
  const size = [1, 10, 100].find(each => each >= ids.length) ?? 1000;
  return [...ids, ...Array.from({ length: size - ids.length }, () => ids.at(-1) ?? '')];
}
