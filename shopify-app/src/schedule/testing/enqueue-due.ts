import { openShopStore } from '@compliance/store/shop';
import { enqueueNightly, enqueueScans } from '../scheduler.ts';

/** Enqueues due jobs in a child process. Usage: `node enqueue-due.ts <data folder> <ms since epoch>`. */
const [dataDir, now] = process.argv.slice(2) as [string, string];
const store = await openShopStore({ dataDir, clock: () => Number(now) });
await enqueueScans(store);
await enqueueNightly(store, Number(now));
await store.close();
