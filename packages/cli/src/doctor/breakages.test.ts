import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@compliance/store';
import { describeWithPostgres } from '@compliance/store/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, startService, temporaryFolder } from '../testing/run-cli.ts';
import { EXPIRED, SELF_SIGNED, TLS_KEY } from '../testing/tls-certificates.ts';
import type { CheckResult } from './check-result.ts';
import { checkRedirect } from './live.ts';
import { judgeFreeSpace } from './storage.ts';

const secretOf = (factor: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, i) => (i * factor) % 251)).toString('base64url');

const SETTINGS = {
  NODE_ENV: 'production',
  OPERATOR_SECRET: 'Kq8vX2mZ4tR7yB1nC5wE9uH3jL6pD0sF',
  LINK_KEYS: `k1:${secretOf(89)}`,
  COMPLIANCE_BASE_URL: 'https://compliance.example',
  COMPLIANCE_TRUSTED_PROXIES: '1',
  COMPLIANCE_CONTACT: 'mailto:scans@compliance.example',
};

const KEY_NOTE = { scope: 'all', note: 'doctor; delegate:on', actor: 'test' } as const;

const world = mkdtempSync(join(tmpdir(), 'compliance-breakages-'));
/** Data folder of a production service that has started, issued a certificate, and been backed up. */
const healthy = join(world, 'data');
let service: Awaited<ReturnType<typeof startService>>;
let key = '';

beforeAll(async () => {
  const store = await openStore({ dataDir: healthy, clock: Date.now });
  key = (await store.keys.issue(KEY_NOTE)).key;
  await store.close();
  service = await startService(['--data', healthy], SETTINGS);
  const live = await doctor(healthy, { COMPLIANCE_DOCTOR_URL: service.base, COMPLIANCE_DOCTOR_KEY: key });
  expect(live.filter(({ status }) => status === 'fail')).toEqual([]);
  await runCli(['backup', join(world, 'backups'), '--data', healthy]);
}, 60_000);

afterAll(async () => {
  await service.stop();
  rmSync(world, { recursive: true });
});

/** Runs `doctor` with the service's settings and the specified changes, and checks that it prints no secrets. */
async function doctor(folder: string, change: Record<string, string | undefined> = {}): Promise<CheckResult[]> {
  const entries = Object.entries({ ...SETTINGS, ...change }).filter(([, value]) => value !== undefined);
  const env = Object.fromEntries(entries) as Record<string, string>;
  const { stdout: output } = await runCli(['doctor', '--json', '--data', folder], { env });
  for (const secret of [SETTINGS.OPERATOR_SECRET, secretOf(89), key, 'wrong-pw']) expect(output).not.toContain(secret);
  return JSON.parse(output).checks;
}

/** Copies the healthy data folder so that a test can break it. */
function copyOfHealthy(): string {
  const folder = join(temporaryFolder(), 'data');
  cpSync(healthy, folder, { recursive: true });
  chmodSync(folder, 0o700);
  return folder;
}

function failuresOf(checks: CheckResult[]): Record<string, string> {
  return Object.fromEntries(
    checks.filter(({ status }) => status === 'fail').map(({ check, found, todo }) => [check, `${found} → ${todo}`]),
  );
}

function changeRecord(folder: string, change: (record: Record<string, unknown>) => void): void {
  const file = join(folder, 'service.json');
  const record = JSON.parse(readFileSync(file, 'utf8'));
  change(record);
  writeFileSync(file, JSON.stringify(record));
}

function tablesOf(folder: string, statement: string): void {
  const tables = new DatabaseSync(join(folder, 'compliance.sqlite'));
  tables.exec(statement);
  tables.exec('pragma wal_checkpoint(truncate)');
  tables.close();
}

const pdfOf = (folder: string) =>
  join(
    folder,
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
      return name.endsWith('.pdf') && readFileSync(join(folder, name)).length > 1000;
    })[0]!,
  );

/** Starts a server on this machine and returns its URL. */
async function serverOf(listener: RequestListener, tls?: { key: string; cert: string }): Promise<string> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const FOREIGN: RequestListener = (_, response) => void response.end('Welcome to nginx!');

const isRoot = process.getuid?.() === 0;

/**
 * A deliberate breakage: its name, the check that fails, a pattern for the message, and a function that causes the
 * breakage and runs `doctor`.
 */
type Breakage = [name: string, check: string, words: RegExp, broken: () => CheckResult[] | Promise<CheckResult[]>];

const inFolder =
  (change: (folder: string) => void, env: Record<string, string | undefined> = {}): Breakage[3] =>
  () => {
    const folder = copyOfHealthy();
    change(folder);
    return doctor(folder, env);
  };

const withSettings = (env: Record<string, string | undefined>) => inFolder(() => {}, env);

/** URL where no server is listening. The system doesn't assign this port to servers that request any free port. */
const UNUSED_URL = 'http://127.0.0.1:28999';

const BREAKAGES: Breakage[] = [
  [
    'a folder that doesn’t exist',
    'data folder',
    /doesn't exist, so it isn't a service's data folder/,
    () => doctor(join(world, 'none')),
  ],
  ['another folder', 'data folder', /isn't the service's data folder/, () => doctor(join(world, 'backups'))],
  ['a file instead of a folder', 'data folder', /isn't a folder/, () => doctor(join(healthy, 'service.json'))],
  [
    'a damaged service.json',
    'settings',
    /service\.json is damaged/,
    inFolder(folder => writeFileSync(join(folder, 'service.json'), '{')),
  ],
  [
    'a folder that others can read',
    'file modes',
    /Other users .* → Run: chmod go=/,
    inFolder(folder => chmodSync(folder, 0o755)),
  ],
  [
    'a corrupt database',
    'database',
    /isn't an SQLite database.*restore/,
    inFolder(folder => writeFileSync(join(folder, 'compliance.sqlite'), 'x'.repeat(8192))),
  ],
  [
    'a truncated database',
    'database',
    /is truncated: it should have \d+ pages but has 3\b/,
    inFolder(folder => {
      tablesOf(folder, 'select 1');
      truncateSync(join(folder, 'compliance.sqlite'), 3 * 4096 + 100);
    }),
  ],
  [
    'damaged pages in the database',
    'database',
    /has damaged pages/,
    inFolder(folder => {
      tablesOf(folder, 'select 1');
      const bytes = readFileSync(join(folder, 'compliance.sqlite'));
      writeFileSync(join(folder, 'compliance.sqlite'), bytes.fill(0xff, 4096 * 2, 4096 * 9));
    }),
  ],
  [
    'an old schema',
    'database',
    /from an earlier release\. Pending migrations: 0006.*restart/,
    inFolder(folder => tablesOf(folder, "delete from kysely_migration where name like '0006%'")),
  ],
  [
    'a schema of a newer release',
    'database',
    /from a newer release/,
    inFolder(folder => {
      tablesOf(folder, "insert into kysely_migration values ('9999-future', '2030')");
      tablesOf(folder, "update code_support set oldest = '9999-future'");
    }),
  ],
  [
    'an environment without the service’s settings',
    'settings',
    /isn't production, but it was when the service started, with OPERATOR_SECRET and LINK_KEYS from its environment/,
    withSettings({ NODE_ENV: undefined, OPERATOR_SECRET: undefined, LINK_KEYS: undefined }),
  ],
  [
    'another base URL',
    'settings',
    /COMPLIANCE_BASE_URL is https:\/\/other\.example, but the service started with https:\/\/compliance\.example/,
    withSettings({ COMPLIANCE_BASE_URL: 'https://other.example' }),
  ],
  [
    'another database',
    'settings',
    /tables are in compliance\.sqlite .*DATABASE_URL\) point to PostgreSQL at 127\.0\.0\.1:1\/other/,
    withSettings({ DATABASE_URL: 'postgres://bob:wrong-pw@127.0.0.1:1/other' }),
  ],
  [
    'a database server that isn’t running',
    'database',
    /No server accepts connections/,
    withSettings({ DATABASE_URL: 'postgres://bob:wrong-pw@127.0.0.1:1/other' }),
  ],
  [
    'an unknown database host',
    'database',
    /hostname in DATABASE_URL can't be resolved/,
    withSettings({ DATABASE_URL: 'postgres://bob:wrong-pw@database.invalid/other' }),
  ],
  ['a missing operator secret', 'OPERATOR_SECRET', /is not set/, withSettings({ OPERATOR_SECRET: undefined })],
  ['a weak operator secret', 'OPERATOR_SECRET', /too short/, withSettings({ OPERATOR_SECRET: 'Kq8vX2mZ4tR7yB1n' })],
  [
    'another operator secret',
    'OPERATOR_SECRET',
    /isn't the secret that the service started with/,
    withSettings({ OPERATOR_SECRET: 'Zw8vX2mZ4tR7yB1nC5wE9uH3jL6pD0sF' }),
  ],
  ['missing link keys', 'LINK_KEYS', /is not set/, withSettings({ LINK_KEYS: undefined })],
  [
    'other link keys',
    'LINK_KEYS',
    /doesn't contain any of the keys that the service started with/,
    withSettings({ LINK_KEYS: `k1:${secretOf(83)}` }),
  ],
  [
    'link keys that were rotated without a restart',
    'LINK_KEYS',
    /starts with k2, but the service still signs links with k1/,
    withSettings({ LINK_KEYS: `k2:${secretOf(83)} ${SETTINGS.LINK_KEYS}` }),
  ],
  [
    'missing PDFs',
    'stored PDFs',
    /Missing certificate PDFs: 1 of 1, including the PDF of /,
    inFolder(folder => rmSync(join(folder, 'blobs'), { recursive: true })),
  ],
  [
    'one altered PDF',
    'stored PDFs',
    /Certificate PDFs that don't match their SHA-256 hashes: 1 of 1, /,
    inFolder(folder => writeFileSync(pdfOf(folder), 'altered')),
  ],
  [
    'unreachable S3 storage',
    'PDFs',
    /bucket/,
    withSettings({
      S3_BUCKET: 'compliance',
      S3_ENDPOINT: UNUSED_URL,
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'wrong-pw',
    }),
  ],
  ['a disk that is nearly full', 'disk', /Free up disk space/, () => [judgeFreeSpace(100 * 2 ** 20)]],
  [
    'a service that was never backed up',
    'backup',
    /has never been backed up/,
    inFolder(folder =>
      changeRecord(folder, record => {
        record.created_at = '2026-01-01T00:00:00Z';
        record.last_backup = undefined;
      }),
    ),
  ],
  [
    'an old backup',
    'backup',
    /newest backup is .* days old/,
    inFolder(folder =>
      changeRecord(folder, record => Object.assign(record.last_backup as object, { made_at: '2026-01-01T00:00:00Z' })),
    ),
  ],
  [
    'an egress proxy that doesn’t run',
    'egress',
    /No egress proxy responds at http:\/\/127\.0\.0\.1:28999/,
    () => doctor(healthy, { COMPLIANCE_EGRESS: UNUSED_URL }),
  ],
  [
    'nothing at the live URL',
    'service',
    /doesn't respond \(ECONNREFUSED\)/,
    () => doctor(healthy, { COMPLIANCE_DOCTOR_URL: UNUSED_URL }),
  ],
  [
    'another program at the live URL',
    'service',
    /isn't this service/,
    async () => doctor(healthy, { COMPLIANCE_DOCTOR_URL: await serverOf(FOREIGN) }),
  ],
  [
    'a clock that differs',
    'clock',
    /clock on .* is 60 minutes behind/,
    async () => {
      const ready: RequestListener = (_, response) => {
        response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString());
        response.setHeader('X-Request-Id', 'r').end('{"status":"ready"}');
      };
      return doctor(healthy, { COMPLIANCE_DOCTOR_URL: await serverOf(ready) });
    },
  ],
  [
    'an expired certificate',
    'TLS',
    /expired on 2020-02-01/,
    async () => doctor(healthy, { COMPLIANCE_DOCTOR_URL: await serverOf(FOREIGN, { key: TLS_KEY, cert: EXPIRED }) }),
  ],
  [
    'a self-signed certificate',
    'TLS',
    /is self-signed, so clients reject it/,
    async () =>
      doctor(healthy, { COMPLIANCE_DOCTOR_URL: await serverOf(FOREIGN, { key: TLS_KEY, cert: SELF_SIGNED }) }),
  ],
  [
    'a live URL that isn’t the base URL',
    'live URL',
    /printed on certificates, is https:\/\/compliance\.example/,
    () => doctor(healthy, { COMPLIANCE_DOCTOR_URL: 'https://other.invalid' }),
  ],
  [
    'HTTP that isn’t redirected',
    'HTTP redirect',
    /responds with 200 instead of redirecting/,
    async () => [await checkRedirect(new URL(await serverOf(FOREIGN)), new URL('https://compliance.example'))],
  ],
  [
    'a test key of another service',
    'API',
    /doesn't recognize the test key/,
    () => doctor(healthy, { COMPLIANCE_DOCTOR_URL: service.base, COMPLIANCE_DOCTOR_KEY: 'cmpl_live_all_x' }),
  ],
];

describe('compliance doctor', () => {
  it.each(BREAKAGES)('names %s', async (_, check, words, broken) => {
    const failures = failuresOf(await broken());
    expect(failures[check] ?? `no failure of ${check}: ${JSON.stringify(failures)}`).toMatch(words);
  });

  const otherUser = 'names a data folder of another user, and doesn’t write to it';
  it.skipIf(!isRoot)(isRoot ? otherUser : `${otherUser} (skipped: needs root)`, async () => {
    const folder = copyOfHealthy();
    for (const path of ['', 'compliance.sqlite']) chownSync(join(folder, path), 1, 1);
    const before = readdirSync(folder, { recursive: true }).sort();
    const checks = await doctor(folder);
    expect(failuresOf(checks)['data folder']).toMatch(
      /belongs to daemon \(UID 1\), but doctor runs as root .*sudo compliance doctor/,
    );
    expect(checks.map(({ check }) => check)).not.toContain('PDFs');
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  });

  it('prints the path of a settings file that can’t be read', async () => {
    const file = join(world, 'none.env');
    const { exitCode, stderr } = await runCli(['--env-file', file, 'doctor']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Can't read the settings in ${file} (ENOENT).`)]);
  });

  it('reads the service’s settings from a file and finds no problems', async () => {
    const file = join(temporaryFolder(), 'compliance.env');
    const lines = Object.entries({ ...SETTINGS, COMPLIANCE_DATA: healthy }).map(
      ([name, value]) => `${name}="${value}"`,
    );
    writeFileSync(file, lines.join('\n'));
    const { stdout } = await runCli(['--env-file', file, 'doctor', '--json']);
    expect(failuresOf(JSON.parse(stdout).checks)).toEqual({});
  });
});

await describeWithPostgres('compliance doctor', startFresh => {
  it('reports a wrong database password and a wrong database name', async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    const wrong = (change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return changed.href;
    };
    for (const [databaseUrl, words] of [
      [wrong(changed => (changed.password = 'wrong-pw')), /^The password in DATABASE_URL is wrong\./],
      [wrong(changed => (changed.pathname = '/none')), /^The database in DATABASE_URL doesn't exist on this server\./],
    ] as const) {
      expect(failuresOf(await doctor(healthy, { DATABASE_URL: databaseUrl })).database).toMatch(words);
    }
  });
});
