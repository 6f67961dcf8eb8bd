import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { compareWatchedCodes, DATASET, type WatchChange } from '@compliance/core/tariff';
import { certificateFor } from '@compliance/crawler/testing';
import { describeWithPostgres } from '@compliance/store/testing';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { createRepository } from './testing/lists-repository.ts';
import { runCli, serveForTest, temporaryFolder } from './testing/run-cli.ts';

/** Maximum number of concurrent deliveries per process and account. */
const CONCURRENCY = 3;

/** A webhook request to the receiver. */
interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
}

/** An event in the format that webhooks and polling share. */
interface Event {
  seq: number;
  attempts: number;
  evaluated_on: string;
  changes: WatchChange[];
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited too long for: ${condition}`);
    await wait(20);
  }
}

/**
 * Starts a webhook receiver that keeps every request open until `release` is called, and then responds to all requests.
 */
async function startReceiver() {
  const { key, cert } = await certificateFor('hooks.example', { trusted: false });
  const received: Received[] = [];
  const open = new Map<ServerResponse, string>();
  let isHolding = true;
  const server = createServer({ key, cert }, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = request.headers as Record<string, string>;
    received.push({ id: headers['webhook-id']!, headers, body });
    open.set(response, headers['webhook-id']!);
    response.on('close', () => open.delete(response));
    if (!isHolding) response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    cert,
    port: (server.address() as AddressInfo).port,
    received,
    /** Returns the IDs of the webhooks waiting for a response. */
    openIds: () => [...open.values()],
    release() {
      isHolding = false;
      for (const response of open.keys()) response.writeHead(204).end();
    },
  };
}

await describeWithPostgres('a watch with a webhook in three processes on one PostgreSQL database', startFresh => {
  it('records each change once and repeats only interrupted webhooks if one process is killed during evaluation and another during delivery', async () => {
    const postgres = await startFresh();
    onTestFinished(postgres.stop);
    const sql = new pg.Client(postgres.url);
    await sql.connect();
    onTestFinished(() => sql.end());
    const receiver = await startReceiver();
    const certificate = join(temporaryFolder(), 'receiver.pem');
    writeFileSync(certificate, receiver.cert);
    const data = join(temporaryFolder(), 'data');
    const serve = (name: string) =>
      serveForTest(['--data', data], {
        DATABASE_URL: `${postgres.url}?application_name=${name}`,
        NODE_EXTRA_CA_CERTS: certificate,
        NODE_OPTIONS: `--import=${new URL('./testing/route-to-receiver.ts', import.meta.url)}`,
        RECEIVER_PORT: `${receiver.port}`,
      });
    const first = await serve('process0');
    const services = [first, ...(await Promise.all([serve('process1'), serve('process2')]))];
    const Authorization = `Bearer ${/cmpl_live_\w+/.exec(first.output().stdout)![0]}`;

    const watched = (prefix: string, code: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ reference: `${prefix}-${index}`, code, origin: null }));
    const codes = [...watched('SOFA', '9401.61.4011', 2000), ...watched('BOLT', '7318.15.2061', 1000)];
    const created = await fetch(`${first.base}/api/v1/tariff/watches`, {
      method: 'POST',
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Catalog', codes, webhook_url: 'https://hooks.example/tariff' }),
    });
    const watch = (await created.json()) as { id: string; webhook_secret: string };
    expect(created.status).toBe(200);

    // Use a lock to block the process that stores the events while its transaction is open.
    await sql.query('select pg_advisory_lock(1)');
    await sql.query(`create function pause() returns trigger language plpgsql as
      $$ begin if new.seq = 30 then perform pg_advisory_xact_lock(1); end if; return new; end $$`);
    await sql.query('create trigger pause before insert on watch_events for each row execute function pause()');
    const { repository, root, dataset } = createRepository('2026.12.1');
    const updated = await runCli(['lists', 'update', '--from', repository, '--root', root, '--data', data]);
    expect(updated.exitCode).toBe(0);
    let evaluating = '';
    await until(async () => {
      const waiting = await sql.query("select application_name from pg_stat_activity where wait_event = 'advisory'");
      evaluating = waiting.rows[0]?.application_name ?? '';
      return evaluating !== '';
    });
    const [killed] = services.splice(Number(evaluating.slice(-1)), 1);
    killed!.child.kill('SIGKILL');
    expect(await killed!.closed).toEqual([null, 'SIGKILL']);

    await sql.query('select pg_advisory_unlock(1)');
    expect(receiver.received).toEqual([]);

    // Another process takes over when the lease expires. Then both remaining processes deliver webhooks.
    for (const { child } of services) child.kill('SIGUSR2');
    await until(() => receiver.openIds().length === 2 * CONCURRENCY);
    const inFlight = receiver.openIds();
    const [second, last] = services;
    second!.child.kill('SIGKILL');
    await until(() => receiver.openIds().length === CONCURRENCY);
    const lost = inFlight.filter(id => !receiver.openIds().includes(id));
    receiver.release();
    const countUndelivered = async () => {
      const { rows } = await sql.query("select count(*)::int as count from webhook_jobs where state <> 'done'");
      return rows[0].count;
    };
    await until(async () => (await countUndelivered()) === CONCURRENCY);
    last!.child.kill('SIGUSR2');
    await until(async () => (await countUndelivered()) === 0);

    const events: Event[] = [];
    for (let page: Event[] | null = null; page?.length !== 0; ) {
      const path = `/api/v1/tariff/watches/${watch.id}/events?after=${events.length}&limit=20`;
      const response = await fetch(last!.base + path, { headers: { Authorization } });
      page = ((await response.json()) as { events: Event[] }).events;
      events.push(...page);
    }
    const asOf = events[0]!.evaluated_on;
    const expected = compareWatchedCodes(codes, { before: DATASET, after: dataset, asOf }).changes;
    expect(new Set(expected.map(({ reference }) => reference)).size).toBe(2000);
    expect(events.flatMap(({ changes }) => changes)).toEqual(expected);
    const idOf = ({ seq }: Event) => `msg_${watch.id}_${seq}`;
    const attempted = (attempts: number) => events.filter(event => event.attempts === attempts).map(idOf);
    expect(attempted(2).sort()).toEqual(lost.sort());
    expect(attempted(1)).toHaveLength(events.length - CONCURRENCY);

    const verifier = new Webhook(watch.webhook_secret);
    const contents = new Map<string, Event>();
    for (const { id, headers, body } of receiver.received) {
      const { data: event } = verifier.verify(body, headers) as { data: Event };
      if (contents.has(id)) expect(event).toEqual(contents.get(id));
      contents.set(id, event);
    }
    expect([...contents.keys()].sort()).toEqual(events.map(idOf).sort());
    for (const event of events) expect(contents.get(idOf(event))!.changes).toEqual(event.changes);
    const ids = receiver.received.map(({ id }) => id);
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
    expect(repeated.sort()).toEqual(lost);
  });
});
