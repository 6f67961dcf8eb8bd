import { openStore, type StoreError } from '../index.ts';

/**
 * Entry point for the tests' child process, which has a file size limit: `node storage-child.ts <folder>`. Writes until
 * the limit is reached, makes further writes and reads, and prints their outcomes as JSON.
 */

const codeOf = async (work: Promise<unknown>) =>
  await work.then(
    () => 'no error',
    (error: StoreError) => error.code ?? `${error}`,
  );

const store = await openStore({ dataDir: process.argv[2], clock: () => Date.UTC(2026, 10, 22) });
let acknowledged = 0;
let issuing = 'no error';
while (issuing === 'no error') {
  issuing = await codeOf(store.keys.issue({ scope: 'all', note: 'x'.repeat(2000), actor: 'test' }));
  if (issuing === 'no error') acknowledged++;
}
const putting = await codeOf(store.blobs.put(Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(2 ** 20)])));
// Small writes still fit after a large write fails, so repeat the check until the remaining space is used up.
let { database, pdfs } = await store.health();
for (let i = 0; i < 200 && !database; i++) ({ database, pdfs } = await store.health());
let allowed = 0;
for (let i = 0; i < 120; i++) if ((await store.limits.take('family')).allowed) allowed++;
const readable = (await store.keys.list()).length;
const health = {
  database: (database as StoreError | null)?.code ?? null,
  pdfs: (pdfs as StoreError | null)?.code ?? null,
};
process.stdout.write(JSON.stringify({ issuing, putting, health, acknowledged, readable, allowed }));
await store.close().catch(() => {});
