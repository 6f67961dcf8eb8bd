/** A certificate that the service acknowledged. */
interface Acknowledged {
  readonly id: string;
  readonly sha256: string;
  /** Product name, which is different for each idempotency key. */
  readonly name: string;
}

/** Counts for one scenario. */
export interface Tally {
  requests: number;
  readonly acknowledged: Acknowledged[];
  /** Number of expected error responses, by status and error code, such as `503 storage_full`. */
  readonly explained: Map<string, number>;
  readonly lost: string[];
  readonly unexplained: string[];
  readonly resets: string[];
  /** Facts for the table, such as the longest wait. */
  readonly facts: string[];
}

/** Creates an empty tally. */
export function createTally(): Tally {
  return { requests: 0, acknowledged: [], explained: new Map(), lost: [], unexplained: [], resets: [], facts: [] };
}

/** Returns the violations that a scenario found. */
export function violationsOf({ lost, unexplained, resets }: Tally): string[] {
  return [
    ...lost.map(text => `lost: ${text}`),
    ...unexplained.map(text => `unexplained: ${text}`),
    ...resets.map(text => `reset: ${text}`),
  ];
}

/** Records a violation unless the expectation is met. */
export function expectThat(tally: Tally, holds: boolean, otherwise: string): void {
  if (!holds) tally.unexplained.push(otherwise);
}
