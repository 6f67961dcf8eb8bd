import { openStore } from '@compliance/store';
import { enqueueNightly, enqueueScans } from '../scheduler.ts';

/** A second process that enqueues what is due: `node schedule.ts <data folder> <ms since epoch>`. */
const [dataDir, now] = process.argv.slice(2) as [string, string];
const store = await openStore({ dataDir, clock: () => Number(now) });
await enqueueScans(store);
await enqueueNightly(store, Number(now));
await store.close();
