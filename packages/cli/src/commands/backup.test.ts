import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPostgres } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWithStore, runCli, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

const REQUEST = {
  product_info: { name: 'Road Bicycle Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'China' },
  manufacturer: { name: 'Maker', address: '1 Road', contact_email: 'maker@maker.example' },
  testing_lab: { name: 'Lab', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

/** Sends an authenticated API request. */
async function call(base: string, key: string, path: string, body: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { gcc_id: string; sha256: string } };
}

const generate = (base: string, key: string) => call(base, key, '/api/v1/entry/gcc/generate', REQUEST);

/** Backs up a running service, restores the backup to another store, and checks the restored service. */
async function expectMoved(env: Record<string, string>): Promise<void> {
  const [folder, backups, fresh] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const service = await serveForTest(['--data', folder]);
  const [key] = /cmpl_live_\w+/.exec(service.output().stdout)!;
  const issued = await Promise.all(Array.from({ length: 5 }, () => generate(service.base, key)));
  const backup = await runCli(['backup', backups, '--data', folder]);
  expect(backup).toMatchObject({ exitCode: 0, stderr: '' });
  expect(backup.stdout).toMatch(
    /: 1 keys, 5 certificates with 5 PDFs, \d+ audit entries\.\nThe backup contains no secrets\./,
  );
  expect(readdirSync(backups)).toHaveLength(2);

  const restored = await runCli(['restore', backups, '--data', fresh], { env });
  expect(restored).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 keys, 5 certificates with 5 PDFs'),
  });
  const elsewhere = await serveForTest(['--data', fresh], env);
  expect(elsewhere.output().stdout).toContain("Existing keys aren't shown again");
  for (const { body } of issued) {
    const page = await (await fetch(`${elsewhere.base}/gcc/${body.gcc_id}`)).text();
    expect(page).toContain(body.sha256);
    const [, link] = /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(page)!;
    const pdf = await fetch(elsewhere.base + link!.replaceAll('&amp;', '&'));
    expect([pdf.status, pdf.headers.get('ETag')]).toEqual([200, `"sha256-${body.sha256}"`]);
  }
  expect((await generate(elsewhere.base, key)).status).toBe(200);

  const again = await runCli(['restore', backups, '--data', fresh], { env });
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already contains data') });
}

describe('compliance backup and restore', () => {
  it('moves a running service to another folder and keeps its certificates and keys valid', async () => {
    await expectMoved({});
  });

  it('rejects a damaged backup, a folder without backups, and a data folder without a store', async () => {
    const [folder, backups] = [await folderWithStore(), temporaryFolder()];
    await runCli(['keys', 'issue', '--data', folder]);
    const none = await runCli(['restore', backups, '--data', temporaryFolder()]);
    expect(none).toMatchObject({ exitCode: 1, stderr: `compliance: ${backups} contains no backups.\n` });
    const { file } = JSON.parse((await runCli(['backup', backups, '--data', folder, '--json'])).stdout);
    writeFileSync(file, 'damaged');
    const damaged = await runCli(['restore', file, '--data', temporaryFolder()]);
    expect(damaged).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing was restored') });
    const empty = await runCli(['backup', backups, '--data', join(folder, 'typo')]);
    expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("doesn't contain a store") });
  });

  it('lists missing PDFs during backup and restore, but exits with code 1 only for backup', async () => {
    const [folder, backups] = [temporaryFolder(), temporaryFolder()];
    const service = await serveForTest(['--data', folder]);
    const [key] = /cmpl_live_\w+/.exec(service.output().stdout)!;
    const { body } = await generate(service.base, key);
    rmSync(join(folder, 'blobs'), { recursive: true });
    const made = await runCli(['backup', backups, '--data', folder]);
    expect(made).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(body.sha256) });
    const restored = await runCli(['restore', backups, '--data', temporaryFolder()]);
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(body.sha256) });
  });
});

await describeWithPostgres('compliance backup and restore', startFresh => {
  it('moves a service from SQLite to PostgreSQL', async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    await expectMoved({ DATABASE_URL: url });
  });
});
