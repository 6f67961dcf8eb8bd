// Measures how the three store calls of each API request (authenticating the key, counting the request against its
// limit, and recording usage) scale with the number of keys.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, growth, report } from '@compliance/bench';
import { type IssuedKey, openStore, type Store } from '../src/index.ts';

const SIZES = [1, 10, 100, 1_000, 10_000];
const TIMES = 200;

const requests: Record<string, (store: Store, issued: IssuedKey) => Promise<unknown>> = {
  'API key authentication': (store, { key }) => store.keys.authenticate(key),
  'counting requests against a limit': (store, { record }) => store.limits.take(record.family),
  'recording requests': (store, { record }) => store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' }),
};

const folder = mkdtempSync(join(tmpdir(), 'compliance-bench-'));
const filled = new Map<number, { store: Store; issued: IssuedKey[] }>();
for (const size of SIZES) {
  const dataDir = join(folder, `${size}`);
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const issued: IssuedKey[] = [];
  while (issued.length < size) issued.push(await store.keys.issue({ scope: 'all', actor: 'bench' }));
  // Make each call once per key, so that all database rows exist before the measurement.
  for (const ask of Object.values(requests)) await Promise.all(issued.map(one => ask(store, one)));
  filled.set(size, { store, issued });
}

const rows: BenchRow[] = [];
for (const [what, ask] of Object.entries(requests)) {
  rows.push(
    await growth(`${what}, by number of stored keys`, 'constant', SIZES, size => {
      const { store, issued } = filled.get(size)!;
      return async () => {
        // A large prime step prevents consecutive calls from using adjacent keys.
        for (let i = 0; i < TIMES; i++) await ask(store, issued[(i * 7919) % size]!);
      };
    }),
  );
}
report(rows);

for (const { store } of filled.values()) await store.close();
rmSync(folder, { recursive: true });
