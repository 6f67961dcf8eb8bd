// Prints the CPU that the server process spends on one look-up request, against bare node:http + zod with the same body, in
// alternating rounds of one run: on sqlite, with log and metrics, and on PostgreSQL. The service authenticates, counts the
// limit and records usage. Then what a bad key costs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@compliance/store/testing';
import { median, type Round, type Server, startServer } from './servers.ts';

const ROUNDS = 4;
const SECONDS = 3;

const show = ({ cpu, rate, p99, memory }: Round) =>
  `${cpu.toFixed(0)} µs, ${rate.toFixed(0)}/s, p99 ${p99} ms, ${memory.toFixed(0)} MB`;

async function compareWithBare(peer: Server, server: Server): Promise<void> {
  for (const one of [peer, server]) for (let i = 0; i < 2; i++) await one.round(SECONDS);
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const [a, b] = [await peer.round(SECONDS), await server.round(SECONDS)];
    ratios.push(b.cpu / a.cpu);
    console.log(`  bare ${show(a)} | ${server.kind} ${show(b)} | ${(b.cpu / a.cpu).toFixed(2)}×`);
  }
  console.log(`  ${server.kind}: median ${median(ratios).toFixed(2)}× the CPU of bare node:http + zod\n`);
}

/** A key with a right checksum costs a query; one without costs none. */
const BAD_KEYS = {
  'a malformed key': 'cmpl_live_all_nonsense',
  'a well-formed key that was never issued': 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7',
};

async function priceBadKeys(server: Server): Promise<void> {
  for (const [name, bearer] of Object.entries(BAD_KEYS)) {
    const ratios: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const good = await server.round(SECONDS);
      ratios.push((await server.round(SECONDS, { bearer })).cpu / good.cpu);
    }
    console.log(`  ${name}: ${median(ratios).toFixed(2)}× the CPU of a look-up`);
  }
  console.log();
}

console.log(`POST lookup of 3 codes, ${ROUNDS} rounds of ${SECONDS} s in turn; server CPU`);
const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const peer = await startServer('bare', dataDir);
for (const kind of ['service on sqlite', 'with log and metrics', 'service on PostgreSQL'] as const) {
  const server = await startServer(kind, kind === 'service on PostgreSQL' ? postgres.url : dataDir);
  await compareWithBare(peer, server);
  if (kind !== 'with log and metrics') await priceBadKeys(server);
  server.stop();
}
peer.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
