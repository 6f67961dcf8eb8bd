import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openStore, type StoreOptions } from '../index.ts';

/**
 * A second process for the tests: `node child.ts <task>`. It says `ready` once loaded, so that several can be set off
 * together, then does its task for each line on stdin (JSON of `dataDir` or `databaseUrl`) and says the outcome.
 */
type Place = Pick<StoreOptions, 'dataDir' | 'databaseUrl'>;

/** Time stands still, so that no window or day ends on a slow machine in the middle of a test. */
const clock = () => Date.UTC(2026, 10, 21);

// Without a buffer: what was written is with the reader even if this process is killed in the next instant.
const say = (line: string) => writeSync(1, `${line}\n`);

const tasks: Record<string, (place: Place) => Promise<string>> = {
  async open(place) {
    const store = await openStore({ ...place, clock });
    const { record } = await store.keys.issue({ scope: 'all', actor: 'child' });
    await store.usage.record({ keyId: record.id, operation: 'open' });
    await store.close();
    return record.id;
  },

  async take(place) {
    const store = await openStore({ ...place, clock });
    let allowed = 0;
    for (let i = 0; i < 100; i++) if ((await store.limits.take('fam_shared')).allowed) allowed++;
    await store.close();
    return `${allowed}`;
  },

  async issueForever(place) {
    const store = await openStore({ ...place, clock });
    for (;;) say((await store.keys.issue({ scope: 'all', actor: 'child' })).key);
  },
};

const task = tasks[process.argv[2] ?? ''];
if (!task) throw new Error(`The task must be one of ${Object.keys(tasks).join(', ')}.`);

say('ready');
for await (const line of createInterface(process.stdin)) say(await task(JSON.parse(line)));
