import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import type { ScenarioContext } from '../model/scenario.ts';

/** Data folder and database of the service under test. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** Creates a temporary folder that is deleted after the scenario. */
export function temporaryFolder({ defer }: Pick<ScenarioContext, 'defer'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-chaos-'));
  chmodSync(folder, 0o755);
  defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates an empty data folder and, if the engine is PostgreSQL, an empty database. */
export async function createPlace(context: ScenarioContext): Promise<Place> {
  const dataDir = join(temporaryFolder(context), 'data');
  if (context.engine === 'sqlite') return { dataDir, databaseUrl: undefined };
  const { url, stop } = await startPostgres();
  context.defer(stop);
  return { dataDir, databaseUrl: url };
}

/** Opens the store at a location, runs `work`, and closes the store. */
async function withStoreAt<T>(place: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ ...place, clock: Date.now });
  return await work(store).finally(() => store.close());
}

/** Issues the API keys that the load uses. Each key is limited to 100 requests per minute. */
export async function issueKeys(place: Place, count = 150): Promise<string[]> {
  return await withStoreAt(place, async store => {
    const keys: string[] = [];
    for (let i = 0; i < count; i++)
      keys.push((await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'chaos' })).key);
    return keys;
  });
}

/** Checks that each acknowledged certificate is stored exactly once, with the acknowledged product and PDF. */
export async function verify(place: Place, { tally }: Pick<ScenarioContext, 'tally'>): Promise<void> {
  await withStoreAt(place, async ({ certificates }) => {
    for (const { id, sha256, name } of tally.acknowledged) {
      const stored = await certificates.get(id);
      if (stored?.sha256 !== sha256) tally.lost.push(`${name}: certificate ${id} is missing or has a different PDF`);
      else if (productOf(stored.record) !== name) tally.lost.push(`${name}: certificate ${id} is for another product`);
      else await certificates.pdf(id).catch(error => tally.lost.push(`${name}: ${error.message}`));
    }
    const names = new Map<string, number>();
    let before: string | undefined;
    do {
      const page = await certificates.list({ limit: 200, before });
      for (const { record } of page) {
        const name = productOf(record);
        names.set(name, (names.get(name) ?? 0) + 1);
      }
      before = page.length === 200 ? page.at(-1)?.id : undefined;
    } while (before);
    for (const [name, count] of names) if (count > 1) tally.lost.push(`${name}: issued ${count} times`);
  });
}

const productOf = (record: string): string => JSON.parse(record).request.product_info.name;
