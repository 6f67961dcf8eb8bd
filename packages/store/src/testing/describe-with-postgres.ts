import { afterAll, describe } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';

/**
 * A `describe` whose tests need PostgreSQL. The server runs until the last of them has ended. Where it cannot be
 * started the tests are skipped with the reason in their name, and under `CI` the file fails.
 *
 * @example
 * await describeWithPostgres('limits on PostgreSQL', startFresh => {
 *   it('…', async () => { const { url, stop } = await startFresh(); … });
 * });
 */
export async function describeWithPostgres(
  name: string,
  register: (startFresh: () => Promise<Postgres>) => void,
): Promise<void> {
  let held: Postgres;
  try {
    held = await startPostgres();
  } catch (error) {
    if (process.env.CI) throw error;
    describe.skip(`${name} (skipped: ${(error as Error).message})`, () => register(startPostgres));
    return;
  }
  describe(name, () => {
    register(startPostgres);
    afterAll(() => held.stop());
  });
}
