// What each request asks of the store, as the number of keys grows: is the key good, is it within its limit, count its use.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growth, type Row, report } from '@compliance/bench';
import { type IssuedKey, openStore, type Store } from '../src/index.ts';

const SIZES = [1, 10, 100, 1_000, 10_000];
const TIMES = 200;

const requests: Record<string, (store: Store, issued: IssuedKey) => Promise<unknown>> = {
  'check of a key': (store, { key }) => store.keys.authenticate(key),
  'count against a limit': (store, { record }) => store.limits.take(record.family),
  'record of a use': (store, { record }) => store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' }),
};

const folder = mkdtempSync(join(tmpdir(), 'compliance-bench-'));
const filled = new Map<number, { store: Store; issued: IssuedKey[] }>();
for (const size of SIZES) {
  const dataDir = join(folder, `${size}`);
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const issued: IssuedKey[] = [];
  while (issued.length < size) issued.push(await store.keys.issue({ scope: 'all', actor: 'bench' }));
  // Each has been used before, so all of its rows are there.
  for (const ask of Object.values(requests)) await Promise.all(issued.map(one => ask(store, one)));
  filled.set(size, { store, issued });
}

const rows: Row[] = [];
for (const [what, ask] of Object.entries(requests)) {
  rows.push(
    await growth(`${what}, keys in the store`, 'constant', SIZES, size => {
      const { store, issued } = filled.get(size)!;
      return async () => {
        // A prime step, so that no two that follow each other lie side by side.
        for (let i = 0; i < TIMES; i++) await ask(store, issued[(i * 7919) % size]!);
      };
    }),
  );
}
report(rows);

for (const { store } of filled.values()) await store.close();
rmSync(folder, { recursive: true });
