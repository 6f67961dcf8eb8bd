/** A pseudorandom generator that produces the same sequence for the same seed. */
export interface Random {
  readonly int: (from: number, to: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
  /** Returns random digits without a leading zero. */
  readonly digits: (count: number) => string;
}

/** Returns a pseudorandom generator that uses the mulberry32 algorithm. */
export function seeded(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    int,
    pick: list => list[int(0, list.length - 1)]!,
    chance: probability => next() < probability,
    digits: count => String(int(10 ** (count - 1), 10 ** count - 1)),
  };
}

/** An address with the parts that a parser is expected to find. */
export interface ExpectedAddress {
  readonly text: string;
  readonly country: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
}
