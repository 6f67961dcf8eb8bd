import { describe } from 'vitest';
import { startPostgres } from './postgres.ts';

/**
 * Registers a test suite that needs PostgreSQL. If the server can't be started, the tests are skipped, and the test
 * names include the reason. If `CI` is set and the server can't be started, the test file fails instead.
 *
 * @example
 * await describeWithPostgres('limits on PostgreSQL', startFresh => {
 *   it('…', async () => { const { url, stop } = await startFresh(); … });
 * });
 */
export async function describeWithPostgres(
  name: string,
  register: (startFresh: typeof startPostgres) => void,
): Promise<void> {
  try {
    await (await startPostgres()).stop();
  } catch (error) {
    if (process.env.CI) throw error;
    const { message } = error as Error;
    process.stderr.write(`Skipping "${name}": ${message}\n`);
    describe.skip(`${name} (skipped: ${message.split('\n')[0]})`, () => register(startPostgres));
    return;
  }
  describe(name, () => register(startPostgres));
}
