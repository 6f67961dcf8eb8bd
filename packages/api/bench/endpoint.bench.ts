// What one look-up of three codes costs the server process, against bare node:http + zod with the same body: on sqlite, with log
// and metrics, and on PostgreSQL. The service authenticates, counts the limit and records usage. Then what a bad key costs, what
// floods of bad keys and of scans of slow hosts do to look-ups, and what stays alive on the heap.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row, ratio, report, show } from '@compliance/bench';
import { startPostgres } from '@compliance/store/testing';
import { type Round, SLOW_SCAN, startServer } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP = 2;

/** Its checksum is right, so it costs a query. */
const NEVER_ISSUED = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

const FLOODS = {
  'a flood of bad keys': { bearer: NEVER_ISSUED, connections: 200 },
  'a flood of scans of slow hosts': { ...SLOW_SCAN, connections: 200 },
};

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const bare = await startServer('bare', dataDir);
const observed = await startServer('with log and metrics', dataDir);
const sqlite = await startServer('service on sqlite', dataDir);
const onPostgres = await startServer('service on PostgreSQL', postgres.url);
const services = [sqlite, onPostgres];

/** What is asked in each round, in turn, so that a slow moment of the machine befalls all alike. */
const asked: Record<string, () => Promise<Round>> = {
  bare: () => bare.round(SECONDS),
  'with log and metrics': () => observed.round(SECONDS),
  'a malformed key': () => sqlite.round(SECONDS, { bearer: 'cmpl_live_all_nonsense' }),
  'a well-formed key that was never issued': () => sqlite.round(SECONDS, { bearer: NEVER_ISSUED }),
};
for (const server of services) {
  asked[server.kind] = () => server.round(SECONDS);
  for (const [name, flood] of Object.entries(FLOODS)) {
    asked[`${server.kind}, ${name}`] = async () => {
      const [round] = await Promise.all([server.round(SECONDS), server.ask(SECONDS, flood)]);
      return round;
    };
  }
}

for (const server of [bare, observed, ...services])
  for (let round = 0; round < WARM_UP; round++) await server.round(SECONDS);
const before = await sqlite.memory();
const rounds: Record<string, Round[]> = {};
for (let round = 0; round < ROUNDS; round++)
  for (const [name, ask] of Object.entries(asked)) rounds[name] = [...(rounds[name] ?? []), await ask()];
// What a flood left under way is over by then: only what is kept for good counts.
await new Promise(resolve => setTimeout(resolve, 6_000));
const after = await sqlite.memory();

const of = (name: string, what: keyof Round) => rounds[name]!.map(round => round[what]);
const middle = (name: string, what: keyof Round) => show(median(of(name, what)));

function cost(name: string, peer: string, what: string, limit?: Row['limit']): Row {
  return {
    what,
    value: ratio(of(name, 'cpu'), of(peer, 'cpu')),
    unit: '×',
    beside: `${middle(name, 'cpu')} µs of processor time against ${middle(peer, 'cpu')}; ${middle(name, 'rate')} a second, p99 ${middle(name, 'p99')} ms`,
    ...(limit && { limit }),
  };
}

function slower(kind: string, flood: string): Row {
  const name = `${kind}, ${flood}`;
  return {
    what: `look-ups, ${kind}: how much slower with ${flood}`,
    value: ratio(of(kind, 'rate'), of(name, 'rate')),
    unit: '×',
    limit: { atMost: 2 },
    beside: `${middle(name, 'rate')} a second against ${middle(kind, 'rate')}; p99 ${middle(name, 'p99')} ms against ${middle(kind, 'p99')}`,
  };
}

report([
  cost('service on sqlite', 'bare', 'look-up, service on sqlite ÷ bare node:http + zod', { atMost: 6 }),
  cost('with log and metrics', 'bare', 'look-up, with log and metrics ÷ bare node:http + zod'),
  cost('service on PostgreSQL', 'bare', 'look-up, service on PostgreSQL ÷ bare node:http + zod'),
  cost('a malformed key', 'service on sqlite', 'a malformed key ÷ a look-up'),
  cost('a well-formed key that was never issued', 'service on sqlite', 'a key that was never issued ÷ a look-up'),
  ...services.flatMap(({ kind }) => Object.keys(FLOODS).map(flood => slower(kind, flood))),
  {
    what: 'heap of the service alive after the load ÷ before',
    value: after.alive / before.alive,
    unit: '×',
    limit: { atMost: 1.2 },
    beside: `${show(after.alive)} MB against ${show(before.alive)} MB; resident ${show(after.resident)} MB against ${show(before.resident)} MB`,
  },
]);

for (const server of [bare, observed, ...services]) server.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
