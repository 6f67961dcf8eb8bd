/**
 * Returns the median of a list of numbers.
 *
 * @throws RangeError if the list is empty
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The median of an empty list is undefined.');
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/**
 * Returns the median, over all rounds, of the ratio `values` ÷ `peers`. A temporary slowdown barely changes the result,
 * because it affects both values in a round.
 */
export function ratio(values: readonly number[], peers: readonly number[]): number {
  return median(values.map((value, round) => value / peers[round]!));
}

/**
 * Returns the CPU time, in milliseconds, that `work` takes across all threads of this process. A busy machine barely
 * affects CPU time.
 */
export async function spent(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * Runs every piece of work once per round and returns each round's CPU time in milliseconds. Excludes warm-up rounds.
 *
 * Before each measurement, collects garbage and runs the measured function once, so that the measured time doesn't
 * include garbage collection for another function.
 *
 * @example
 * const { ours, theirs } = await inTurn({ ours: () => scan(page), theirs: () => parse(page) }, { rounds: 9 });
 * ratio(ours, theirs) // 2.01
 */
export async function inTurn<Name extends PropertyKey>(
  work: Readonly<Record<Name, () => unknown>>,
  { rounds, warmUp = 2 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(work) as Name[];
  const costs = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      globalThis.gc?.();
      await work[name]();
      const ms = await spent(work[name]);
      if (round >= 0) costs[name].push(ms);
    }
  }
  return costs;
}

/**
 * Formats a number with three significant digits, or as a whole number if its absolute value is 100 or more.
 *
 * @example show(1234.5) // '1,235'
 * show(0.01234) // '0.0123'
 */
export function show(value: number): string {
  const digits = Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return value.toLocaleString('en-US', digits);
}
