/**
 * The middle of some numbers.
 *
 * @throws RangeError when there are none
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('There is no middle of nothing.');
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** The middle of what neighbouring rounds say of `values` ÷ `peers`, so that a slow moment befalls both. */
export function ratio(values: readonly number[], peers: readonly number[]): number {
  return median(values.map((value, round) => value / peers[round]!));
}

/** What this process spends on some work, on all its threads, in ms of processor time: a busy machine changes it little. */
export async function spent(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * Does each piece of work once in every round, in turn, and gives what each round cost, in ms of processor time. The
 * rounds that warm up are not in it.
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
      const ms = await spent(work[name]);
      if (round >= 0) costs[name].push(ms);
    }
  }
  return costs;
}

/**
 * A number as a person reads it: three figures.
 *
 * @example show(1234.5) // '1,235'
 * show(0.01234) // '0.0123'
 */
export function show(value: number): string {
  const digits = Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return value.toLocaleString('en-US', digits);
}
