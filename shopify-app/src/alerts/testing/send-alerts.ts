import { setTimeout as wait } from 'node:timers/promises';
import { openShopStore } from '@compliance/store/shop';
import { createApp } from '../../context/app.ts';
import { startWorker } from '../../jobs/worker.ts';
import { recordAlerts } from '../alert.ts';
import { alertEmailJob } from '../email-job.ts';
import { flowTriggersJob } from '../flow-job.ts';
import { createMailer } from '../mailer.ts';

/**
 * Records events and sends pending alerts by email and to Shopify Flow. A test runs several instances of this script at
 * the same time. Usage:
 * `node --import @compliance/fake-shopify/preload send-alerts.ts <data folder> <shop> <SMTP URL>`.
 */
const [dataDir, domain, smtpUrl] = process.argv.slice(2) as [string, string, string];
const store = await openShopStore({ dataDir, clock: Date.now });
const config = {
  apiKey: 'key',
  apiSecret: 'secret',
  appUrl: 'https://app.example',
  tokenKeys: [Buffer.alloc(32, 7)],
};
const { offlineContext, unsubscribeLinks: links } = createApp({ config, store, clock: Date.now });
const mailer = createMailer({ smtpUrl, from: 'alerts@app.example' });
const worker = startWorker({
  ...{ store, offlineContext, clock: Date.now, concurrency: 2, name: `${process.pid}` },
  handlers: [alertEmailJob({ mailer, links, apiKey: config.apiKey }), flowTriggersJob({ apiKey: config.apiKey })],
  logFailure: error => {
    throw error;
  },
});
const shop = store.shop(domain);
const detail = { title: 'Two Meta pixels', place: 'layout/theme.liquid', fingerprint: 'f' };
for (const key of ['a', 'b']) await recordAlerts(shop, Date.now(), [{ key, kind: 'error', detail }]);
const isLive = async () => (await shop.jobs.list({ limit: 20 })).some(({ finishedAt }) => finishedAt === null);
while (await isLive()) await wait(50);
await worker.stop();
await store.close();
