import type { RequestListener } from 'node:http';
import { DATASET } from '@compliance/core/tariff';
import { createWebhookSender } from '@compliance/crawler';
import { certificateFor } from '@compliance/crawler/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import { startWebhookWorker } from './deliver-webhooks.ts';
import { watchDataset } from './watch-dataset.ts';

const service = await startService();
const { store, network, time, webhookSecrets: secrets } = service;
afterAll(() => service.stop());

/** The webhooks received so far, and the receiver's response to subsequent webhooks. */
const received: { headers: Record<string, string>; body: string }[] = [];
let respond: RequestListener = (_, response) => response.writeHead(204).end();
const certificate = await certificateFor('hooks.example', { trusted: true });
await network.secureSite(
  'hooks.example',
  certificate,
  async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    respond(request, response);
  },
  '93.184.216.40',
);
beforeEach(() => {
  received.length = 0;
  respond = (_, response) => response.writeHead(204).end();
  time.now += 86_400_000;
});

const send = createWebhookSender(network.transport, { refusalMs: 0 });

/** Runs workers until no delivery is due. Returns the number of attempts. */
async function deliver(workers = 1): Promise<number> {
  let [attempts, running, idle] = [0, 0, 0];
  const claimDelivery: typeof store.watches.claimDelivery = async (...args) => {
    const due = await store.watches.claimDelivery(...args);
    idle = due ? 0 : idle + 1;
    if (!due) return null;
    attempts++;
    running++;
    const end = () => {
      running--;
      idle = 0;
    };
    return {
      ...due,
      complete: result => due.complete(result).finally(end),
      fail: (...failure) => due.fail(...failure).finally(end),
    };
  };
  const deps = { store: { watches: { ...store.watches, claimDelivery } }, clock: () => time.now, send, secrets };
  const options = {
    random: () => 0.5,
    name: 'test',
    onFailure: (failure: unknown) => failures.push(failure),
    idleMs: 5,
  };
  const started = Array.from({ length: workers }, () => startWebhookWorker({ ...deps, ...options }));
  await expect.poll(() => running === 0 && idle > 5 * workers, { interval: 5, timeout: 10_000 }).toBe(true);
  await Promise.all(started.map(worker => worker.stop()));
  expect(failures).toEqual([]);
  return attempts;
}
const failures: unknown[] = [];

/** Creates a watch with a webhook and the given number of events. */
async function watchWithEvents(count: number, url = 'https://hooks.example/tariff?a=1') {
  const { record } = await store.keys.issue({ scope: 'tariff', actor: 'test' });
  const watch = await store.watches.create({
    ...{ family: record.family, name: 'Catalog', codes: [], dataset: watchDataset(DATASET), evaluatedOn: '2026-11-01' },
    webhook: { url, secrets: secrets.create() },
  });
  const due = (await store.watches.claimEvaluation(watchDataset(DATASET), '2026-11-02', 60_000))!;
  await due.finish(
    Array.from({ length: count }, (_, index) => JSON.stringify({ changes: [{ reference: `R${index}` }] })),
  );
  const events = () => store.watches.events(record.family, watch.id, { after: 0, limit: 100 });
  return { watch, events, secret: secrets.current(secrets.create(), watch.id) };
}

describe('startWebhookWorker', () => {
  it('sends each event once, with the same signature as the reference library', async () => {
    const { watch, events, secret } = await watchWithEvents(3);
    await deliver(3);
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      [1, 2, 3].map(seq => `msg_${watch.id}_${seq}`),
    );
    for (const { headers, body } of received) {
      expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(time.now / 1000));
      const signature = new Webhook(secret).sign(headers['webhook-id']!, new Date(time.now), body);
      expect(headers['webhook-signature']).toBe(signature);
      expect(JSON.parse(body)).toMatchObject({ type: 'tariff.watch.changed', data: { watch_id: watch.id } });
    }
    expect((await events()).map(({ delivery }) => delivery)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await deliver()).toBe(0);
  });

  it('retries with increasing delays, waits at least as long as Retry-After, and gives up after ten attempts', async () => {
    const { events } = await watchWithEvents(1);
    respond = (_, response) => response.writeHead(503, { 'Retry-After': '60' }).end();
    await deliver();
    time.now += 59_000;
    expect(await deliver()).toBe(0);
    time.now += 1_000;
    await deliver();
    expect(await events()).toMatchObject([{ delivery: 'pending', attempts: 2, error: 'status 503' }]);
    for (let attempt = 3; attempt <= 12; attempt++) {
      time.now += 86_400_000;
      await deliver();
    }
    expect(received).toHaveLength(10);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await events()).toMatchObject([{ delivery: 'dead', attempts: 10, error: 'status 503' }]);
  });

  it('signs with both secrets for 24 hours after a rotation', async () => {
    const { watch, secret } = await watchWithEvents(1);
    const rotated = secrets.rotate(watch.webhookSecrets!, time.now);
    await store.watches.setSecrets(watch.family, watch.id, rotated);
    await deliver();
    const { headers, body } = received[0]!;
    const expected = [secrets.current(rotated, watch.id), secret].map(each =>
      new Webhook(each).sign(headers['webhook-id']!, new Date(time.now), body),
    );
    expect(headers['webhook-signature']!.split(' ')).toEqual(expected);
    expect(secrets.active(rotated, watch.id, time.now + 86_400_000)).toHaveLength(1);
  });

  it('stops retrying after a 410 response and never follows redirects', async () => {
    const gone = await watchWithEvents(1);
    respond = (_, response) => response.writeHead(410).end();
    await deliver();
    expect(await gone.events()).toMatchObject([{ delivery: 'dead', attempts: 1 }]);
    const redirected = await watchWithEvents(1);
    respond = (_, response) => response.writeHead(302, { Location: 'https://169.254.169.254/' }).end();
    await deliver();
    expect(await redirected.events()).toMatchObject([{ delivery: 'pending', error: 'status 302' }]);
    expect(network.dialed.filter(address => !address.startsWith('93.184.'))).toEqual([]);
  });

  it('never connects to a private address or to a URL without HTTPS on port 443', async () => {
    network.names.set('internal.example', ['10.0.0.1']);
    network.names.set('mixed.example', ['93.184.216.40', '127.0.0.1']);
    // Finish the deliveries from earlier tests.
    await deliver();
    received.length = 0;
    const dialed = network.dialed.length;
    for (const [url, error] of [
      ['https://internal.example/', 'unreachable'],
      ['https://mixed.example/', 'unreachable'],
      ['https://127.0.0.1/', 'refused_address'],
      ['https://localhost/', 'refused_address'],
      ['http://hooks.example/', 'invalid_url'],
      ['https://hooks.example:8443/', 'invalid_url'],
      ['https://user:pw@hooks.example/', 'invalid_url'],
    ] as const) {
      const { events } = await watchWithEvents(1, url);
      await deliver();
      expect(await events()).toMatchObject([{ delivery: 'pending', error }]);
    }
    expect(network.dialed).toHaveLength(dialed);
    expect(received).toEqual([]);
  });
});
