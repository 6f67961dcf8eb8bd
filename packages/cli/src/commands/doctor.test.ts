import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@compliance/store';
import { describeWithPostgres, startS3 } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkLaboratories } from '../doctor/laboratories.ts';
import { checkNode, checkTariffLists } from '../doctor/release.ts';
import { folderWithStore, runCli, temporaryFolder } from '../testing/run-cli.ts';

const OPERATOR_SECRET = 'Kq8vX2mZ4tR7yB1nC5wE9uH3jL6pD0sF';
const LINK_SECRET = Buffer.from(Array.from({ length: 32 }, (_, i) => (i * 89) % 251)).toString('base64url');
const PRODUCTION = {
  NODE_ENV: 'production',
  OPERATOR_SECRET,
  LINK_KEYS: `k1:${LINK_SECRET}`,
  COMPLIANCE_BASE_URL: 'https://compliance.example',
  COMPLIANCE_TRUSTED_PROXIES: '1',
  COMPLIANCE_CONTACT: 'mailto:scans@compliance.example',
};

/**
 * Runs `compliance doctor` and returns its results and exit code. Asserts that the output doesn't contain any secrets
 * from the settings.
 */
async function doctor(folder: string, env: Record<string, string> = {}) {
  const args = ['doctor', '--data', folder];
  const [text, json] = [await runCli(args, { env }), await runCli([...args, '--json'], { env })];
  expect(text.exitCode).toBe(json.exitCode);
  const long = Object.entries(env).flatMap(([name, value]) =>
    value.length > 40 && name !== 'COMPLIANCE_LABS' ? [value] : [],
  );
  const secrets = [OPERATOR_SECRET, LINK_SECRET, 's3cret', ...long];
  for (const secret of secrets) expect(JSON.stringify([text, json])).not.toContain(secret);
  const { status, checks } = JSON.parse(json.stdout) as {
    status: string;
    checks: { check: string; status: string; found: string; todo?: string }[];
  };
  for (const check of checks) {
    expect(check.todo === undefined).toBe(check.status === 'ok');
    expect(text.stdout).toContain(check.check);
  }
  const resultsOf = (name: string) => checks.filter(({ check }) => check === name);
  const failed = checks.filter(each => each.status === 'fail').map(({ check }) => check);
  return { exitCode: json.exitCode, status, resultsOf, failed };
}

describe('compliance doctor', () => {
  it('passes for a healthy deployment and stores only one small PDF, even if it runs repeatedly', async () => {
    const folder = await folderWithStore();
    const { exitCode, failed, resultsOf } = await doctor(folder, PRODUCTION);
    expect([exitCode, failed]).toEqual([0, []]);
    for (const name of [
      'database',
      'PDFs',
      'OPERATOR_SECRET',
      'LINK_KEYS',
      'file modes',
      'base URL',
      'proxies',
      'contact',
    ])
      expect(resultsOf(name)).toMatchObject([{ status: 'ok' }]);
    expect(resultsOf('HTS export')).toMatchObject([{ status: 'warn', todo: expect.stringContaining('hts import') }]);
    const pdfs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.pdf'));
    expect(pdfs).toHaveLength(1);
    expect(statSync(join(folder, pdfs[0]!)).size).toBeLessThan(100);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a missing operator secret', { OPERATOR_SECRET: '' }, 'OPERATOR_SECRET', 'openssl rand'],
    ['a sample operator secret', { OPERATOR_SECRET: 'changeme'.repeat(6) }, 'OPERATOR_SECRET', 'openssl rand'],
    ['missing link keys', { LINK_KEYS: '' }, 'LINK_KEYS', 'id:secret'],
    ['short link keys', { LINK_KEYS: `k1:${LINK_SECRET.slice(0, 20)}` }, 'LINK_KEYS', 'id:secret'],
    ['a base URL without HTTPS', { COMPLIANCE_BASE_URL: 'http://compliance.example' }, 'base URL', 'HTTPS'],
    ['an invalid contact', { COMPLIANCE_CONTACT: 'call us' }, 'contact', 'email address'],
    ['incomplete S3 settings', { S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 's3cret' }, 'settings', 'S3_BUCKET'],
    ['an unreachable database', { DATABASE_URL: 'postgres://bob:s3cret@127.0.0.1:1/db' }, 'database', 'DATABASE_URL'],
    ['an invalid database URL', { DATABASE_URL: 'postgres://bob:p/s3cret@h/db' }, 'database', 'DATABASE_URL'],
  ])('fails in production with %s and suggests a fix', async (_, change, check, todo) => {
    const { exitCode, failed, resultsOf } = await doctor(await folderWithStore(), { ...PRODUCTION, ...change });
    expect([exitCode, failed]).toEqual([1, [check]]);
    expect(resultsOf(check)[0]!.todo).toContain(todo);
  });

  it('shows the laboratory list’s date and reports a missing or invalid list', async () => {
    const file = join(temporaryFolder(), 'labs.json');
    const list = { as_of: '2026-11-20', source: 'cpsc.gov laboratory search', labs: [{ cpsc_lab_id: '1234' }] };
    writeFileSync(file, JSON.stringify(list));
    const { resultsOf } = await doctor(await folderWithStore(), { COMPLIANCE_LABS: file });
    expect(resultsOf('laboratories')).toEqual([
      {
        ...{ check: 'laboratories', status: 'ok' },
        found: `Laboratories are checked against the list dated 2026-11-20 (cpsc.gov laboratory search; number of laboratories: 1).`,
      },
    ]);
    const todo = expect.stringContaining('COMPLIANCE_LABS');
    expect(await checkLaboratories(undefined)).toMatchObject({ status: 'warn', todo });
    writeFileSync(file, JSON.stringify({ ...list, as_of: 'yesterday' }));
    const found = expect.stringContaining('as_of');
    expect(await checkLaboratories(file)).toMatchObject({ status: 'fail', found, todo });
  });

  it('warns about a missing trusted proxy setting and a missing contact', async () => {
    const env = { ...PRODUCTION, COMPLIANCE_TRUSTED_PROXIES: '0', COMPLIANCE_CONTACT: '' };
    const { exitCode, status, resultsOf } = await doctor(await folderWithStore(), env);
    expect([exitCode, status]).toEqual([0, 'warn']);
    expect(resultsOf('proxies')).toMatchObject([
      { status: 'warn', todo: expect.stringContaining('COMPLIANCE_TRUSTED_PROXIES') },
    ]);
    expect(resultsOf('contact')).toMatchObject([{ status: 'warn' }]);
  });

  it('fails if other users can read the secrets, and suggests a command that fixes the permissions', async () => {
    const folder = await folderWithStore();
    const file = join(folder, 'operator-secret');
    chmodSync(file, 0o644);
    const { exitCode, resultsOf } = await doctor(folder);
    expect([exitCode, resultsOf('file modes')]).toMatchObject([
      1,
      [{ status: 'fail', todo: `Run: chmod go= ${file}` }],
    ]);
    chmodSync(file, 0o600);
    expect((await doctor(folder)).exitCode).toBe(0);
  });

  it('reports a database from an older or newer release without migrating it', async () => {
    const folder = await folderWithStore();
    const tables = new DatabaseSync(join(folder, 'compliance.sqlite'));
    onTestFinished(() => tables.close());
    tables.exec("drop table certificate_words; delete from kysely_migration where name like '0005%'");
    for (let visit = 0; visit < 2; visit++) {
      expect((await doctor(folder)).resultsOf('database')).toMatchObject([
        { status: 'fail', found: expect.stringContaining('Pending migrations: 0005-certificate-words') },
      ]);
    }
    tables.exec("insert into kysely_migration values ('9999-future', '2030')");
    expect((await doctor(folder)).resultsOf('database')).toMatchObject([
      { status: 'fail', found: expect.stringMatching(/newer release/) },
    ]);
  });

  it('fails if PDFs can’t be stored', async () => {
    const folder = await folderWithStore();
    writeFileSync(join(folder, 'blobs'), 'in the way', { mode: 0o600 });
    expect((await doctor(folder)).failed).toEqual(['PDFs']);
  });

  it('checks the age of the tariff lists and the Node.js version', () => {
    const folder = '/nonexistent';
    expect(checkTariffLists(folder, Date.UTC(2026, 9, 20))).toMatchObject([{ status: 'ok' }]);
    expect(checkTariffLists(folder, Date.UTC(2026, 10, 8, 17))).toMatchObject([
      { status: 'ok', found: expect.stringMatching(/30 days ago/) },
    ]);
    expect(checkTariffLists(folder, Date.UTC(2026, 10, 9, 17))).toMatchObject([
      { status: 'warn', found: expect.stringMatching(/31 days ago/) },
    ]);
    expect(['20.20.2', '22.18.0', '22.19.0', '24.0.0'].map(text => checkNode(text).status)).toEqual([
      ...['fail', 'fail', 'ok', 'ok'],
    ]);
  });
});

await describeWithPostgres('compliance doctor', startFresh => {
  it('checks the PostgreSQL connection, the PostgreSQL server clock, and S3 storage', async () => {
    const { url, stop } = await startFresh();
    const s3 = await startS3();
    onTestFinished(async () => {
      await s3.stop();
      await stop();
    });
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3.options;
    const env = {
      ...PRODUCTION,
      ...{ DATABASE_URL: url, S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    };
    const folder = join(temporaryFolder(), 'none');
    const before = await doctor(folder, env);
    expect(before.resultsOf('database')).toMatchObject([
      { status: 'fail', found: expect.stringMatching(/Pending migrations: 0001-/) },
    ]);
    await (await openStore({ databaseUrl: url, clock: Date.now })).close();
    const { failed, resultsOf } = await doctor(folder, env);
    expect(failed).toEqual([]);
    expect(resultsOf('database')).toMatchObject([
      { status: 'ok', found: expect.stringMatching(/PostgreSQL 18\.\d+\) is reachable/) },
    ]);
    expect(resultsOf('clock')).toMatchObject([
      { status: 'ok', found: expect.stringMatching(/^The database's clock is \d+ ms/) },
    ]);
    expect(s3.objects.size).toBe(1);
    expect(existsSync(folder)).toBe(false);
    const local = await doctor(await folderWithStore(), { ...env, S3_BUCKET: '' });
    expect(local.resultsOf('PDFs')).toMatchObject([
      { status: 'ok' },
      { status: 'warn', todo: expect.stringMatching(/S3_BUCKET/) },
    ]);
    const wrong = await doctor(folder, { ...env, S3_SECRET_ACCESS_KEY: 's3cret' });
    expect(wrong.failed).toEqual(['PDFs']);
  });
});
