/**
 * Sends a request repeatedly at a fixed rate, regardless of how long the responses take, and returns the response times
 * in milliseconds.
 *
 * @throws Error if a response's status isn't 200
 */
export async function probe(
  send: () => Promise<Response>,
  { everyMs, seconds }: { everyMs: number; seconds: number },
): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    const begun = performance.now();
    times.push(
      send().then(async response => {
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${response.status} ${text}`);
        return performance.now() - begun;
      }),
    );
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
  return await Promise.all(times);
}

/** Returns a percentile of the given times. @example percentile([3, 1, 2], 0.5) // 2 */
export function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!;
}
