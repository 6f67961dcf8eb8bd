import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@compliance/store/testing';
import pg from 'pg';
import { LOOKUP, send, startLoad } from '../harness/load.ts';
import { canMount, mountMemory, remount } from '../harness/mount.ts';
import { createPlace, issueKeys, type Place, temporaryFolder, verify } from '../harness/place.ts';
import { type Service, startProcess, until } from '../harness/service.ts';
import type { Scenario, ScenarioContext } from '../model/scenario.ts';
import { expectThat, type Tally } from '../model/tally.ts';

/** Fills the disk that contains the database and the PDFs, and then frees up space. */
export const fullDisk: Scenario = {
  name: 'full disk',
  engines: ['sqlite', 'postgres'],
  skip: () => (canMount() || process.platform === 'linux' ? null : 'needs Linux'),
  async run(context) {
    if (context.engine === 'postgres') return await onPostgres(context);
    return canMount() ? await onSmallDisk(context) : await withFileLimit(context);
  },
};

/** Runs the scenario with the data folder on an 8 MB disk that is later enlarged to 64 MB. */
async function onSmallDisk(context: ScenarioContext): Promise<void> {
  const disk = mountMemory(context, temporaryFolder(context), 'size=8m');
  const place: Place = { dataDir: join(disk, 'data'), databaseUrl: undefined };
  const keys = await issueKeys(place);
  const service = await startProcess(context, place);
  await fillAndFree(context, { place, service, keys, free: () => remount(disk, 'size=64m') });
}

/** Runs the scenario with a process that can't write files larger than 2 MB until it's restarted without the limit. */
async function withFileLimit(context: ScenarioContext): Promise<void> {
  const place = await createPlace(context);
  const keys = await issueKeys(place);
  const limited = await startProcess(context, place, { prelude: "trap '' XFSZ; ulimit -f 2048" });
  let service = limited;
  await fillAndFree(context, {
    place,
    get service() {
      return service;
    },
    keys,
    async free() {
      limited.accepting = false;
      limited.child.kill('SIGTERM');
      await limited.exited;
      service = await startProcess(context, place);
    },
  });
}

/** Runs the scenario with the database in a tablespace on a 24 MB disk that is later enlarged to 128 MB. */
async function onPostgres(context: ScenarioContext): Promise<void> {
  if (!canMount()) return void context.tally.facts.push('skipped: needs root');
  const server = await startPostgres();
  context.defer(server.stop);
  const disk = mountMemory(context, temporaryFolder(context), 'size=24m');
  const tables = join(disk, 'tables');
  mkdirSync(tables, { mode: 0o700 });
  const admin = new pg.Client(server.url);
  await admin.connect();
  const [{ directory } = { directory: '' }] = (
    await admin.query<{ directory: string }>(`select current_setting('data_directory') as directory`)
  ).rows;
  const [uid, gid] = execFileSync('stat', ['-c', '%u %g', directory], { encoding: 'utf8' }).split(' ').map(Number);
  chownSync(tables, uid!, gid!);
  await admin.query(`create tablespace small location '${tables}'`);
  await admin.query('create database small tablespace small');
  context.defer(async () => {
    await admin.query('drop database small with (force)');
    await admin.query('drop tablespace small');
    await admin.end();
  });
  const databaseUrl = Object.assign(new URL(server.url), { pathname: '/small' }).href;
  const place: Place = { dataDir: join(temporaryFolder(context), 'data'), databaseUrl };
  const keys = await issueKeys(place);
  const service = await startProcess(context, place);
  // Fill the disk with other data, because filling it with certificates would take too long.
  const filler = new pg.Client(databaseUrl);
  await filler.connect();
  await filler.query('create table filler (bytes text)');
  const fill = async () => {
    await filler.query('alter table filler alter column bytes set storage plain');
    for (;;) await filler.query(`insert into filler select repeat('x', 7000) from generate_series(1, 20)`);
  };
  await fill().catch((error: { code?: string }) =>
    expectThat(context.tally, error.code === '53100', `filler: ${error.code}`),
  );
  await filler.end();
  await fillAndFree(context, { place, service, keys, free: () => remount(disk, 'size=128m') });
}

interface Fill {
  readonly place: Place;
  readonly service: Service;
  readonly keys: readonly string[];
  free(): unknown;
}

async function fillAndFree(context: ScenarioContext, fill: Fill): Promise<void> {
  const { tally, phaseMs } = context;
  const load = startLoad(context, { keys: fill.keys, services: () => [fill.service], resets: 'never' });
  const isFull = await until(() => tally.explained.has('503 storage_full'), 60_000);
  expectThat(tally, isFull, 'storage_full was never returned');
  expectThat(
    tally,
    await until(async () => (await fill.service.readiness()) === '503 storage_full', 20_000),
    `readiness was ${await fill.service.readiness()} while the disk was full`,
  );
  const before = tally.acknowledged.length;
  await lookUp(tally, fill);
  expectThat(tally, fill.service.output().includes('"code":"storage_full"'), 'the log does not contain storage_full');
  await fill.free();
  expectThat(
    tally,
    await until(async () => (await fill.service.readiness()) === '200 ready', 20_000),
    `readiness was ${await fill.service.readiness()} after space was freed`,
  );
  await pause(phaseMs);
  await load.stop();
  expectThat(tally, tally.acknowledged.length > before, 'no certificate was issued after space was freed');
  fill.service.child.kill('SIGTERM');
  await fill.service.exited;
  await verify(fill.place, context);
}

/** Checks that lookups work while the disk is full. */
async function lookUp(tally: Tally, { service, keys }: Fill): Promise<void> {
  for (const key of keys.slice(0, 20)) {
    const { status, code } = await send(service.base, key, LOOKUP);
    expectThat(tally, status === 200, `a lookup returned ${status} ${code} while the disk was full`);
  }
}
