// Thirty seconds of look-ups at the highest rate that the service takes, with key and limit checked at each, and what a flood
// of bad keys and one of scans of slow hosts do to them. Slices of each are taken in turn with slices of bare node:http + zod,
// so that a slow moment of the machine befalls all alike. The load generator shares the machine with the server: what is slower
// by the clock is also slower for that reason, and the server's CPU per look-up tells the two apart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@compliance/store/testing';
import { median, type Round, type Server, SLOW_SCAN, startServer } from './servers.ts';

const SLICES = 6;
const SECONDS = 5;

/** CPU of a look-up against bare node:http + zod on sqlite, and how much slower a flood may make look-ups. */
const LIMITS = { cpu: 6, slower: 2 };

/** Its checksum is right, so it costs a query. */
const NEVER_ISSUED = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

const FLOODS = {
  'a flood of bad keys': { bearer: NEVER_ISSUED, connections: 200 },
  'a flood of scans of slow hosts': { ...SLOW_SCAN, connections: 200 },
};

async function load(peer: Server, server: Server): Promise<void> {
  for (const one of [peer, server]) await one.round(SECONDS);
  const start = await server.memory();
  const bare: Round[] = [];
  const alone: Round[] = [];
  const flooded = Object.fromEntries(Object.keys(FLOODS).map(name => [name, [] as Round[]]));
  for (let slice = 0; slice < SLICES; slice++) {
    bare.push(await peer.round(SECONDS));
    alone.push(await server.round(SECONDS));
    for (const [name, flood] of Object.entries(FLOODS)) {
      const [round] = await Promise.all([server.round(SECONDS), server.ask(SECONDS, flood)]);
      flooded[name]!.push(round);
    }
  }
  const end = await server.memory();
  const change = (of: 'resident' | 'alive') => `${start[of].toFixed(0)} MB, then ${end[of].toFixed(0)} MB`;
  console.log(`${server.kind}: resident ${change('resident')}; alive on its heap ${change('alive')}`);
  row('', ['CPU', 'slower', 'µs', 'per second', 'p50 ms', 'p99 ms']);
  tell('bare node:http + zod', bare, bare, bare);
  tell('look-ups', alone, bare, alone);
  for (const [name, rounds] of Object.entries(flooded)) tell(`with ${name}`, rounds, bare, alone);
  const cpu = ratio(alone, bare, 'cpu');
  if (server.kind === 'service on sqlite' && cpu > LIMITS.cpu) over(`${cpu.toFixed(2)}× the CPU`, LIMITS.cpu);
  for (const [name, rounds] of Object.entries(flooded)) {
    const slower = ratio(alone, rounds, 'rate');
    if (slower > LIMITS.slower) over(`${slower.toFixed(2)}× slower with ${name}`, LIMITS.slower);
  }
  console.log();
}

/** How many times the peer's the value is: the middle of what neighbouring slices say. */
function ratio(rounds: Round[], peers: Round[], of: keyof Round): number {
  return median(rounds.map((round, slice) => round[of] / peers[slice]![of]));
}

function tell(name: string, rounds: Round[], bare: Round[], alone: Round[]): void {
  const middle = (of: keyof Round) => median(rounds.map(round => round[of]));
  row(name, [
    `${ratio(rounds, bare, 'cpu').toFixed(2)}×`,
    `${ratio(alone, rounds, 'rate').toFixed(2)}×`,
    middle('cpu').toFixed(0),
    middle('rate').toFixed(0),
    middle('p50').toFixed(0),
    Math.max(...rounds.map(({ p99 }) => p99)).toFixed(0),
  ]);
}

function row(name: string, cells: string[]): void {
  console.log(`  ${name.padEnd(38)}${cells.map(cell => cell.padStart(11)).join('')}`);
}

const over = (what: string, limit: number) => console.log(`  OVER THE LIMIT of ${limit}×: ${what}`);

console.log(`Look-ups of 3 codes at full speed: ${SLICES} slices of ${SECONDS} s each, in turn`);
const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const peer = await startServer('bare', dataDir);
for (const kind of ['service on sqlite', 'service on PostgreSQL'] as const) {
  const server = await startServer(kind, kind === 'service on PostgreSQL' ? postgres.url : dataDir);
  await load(peer, server);
  server.stop();
}
peer.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
