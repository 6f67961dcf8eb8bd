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
