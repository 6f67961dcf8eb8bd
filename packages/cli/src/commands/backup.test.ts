import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backUp } from '@compliance/store';
import { describeWithPostgres } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectRefusal, folderWithStore, runCli, serveForTest, temporaryFolder } from '../testing/run-cli.ts';

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
    /: 1 key, 5 certificates with 5 PDFs, \d+ audit entries\.\nThe backup contains no secrets\./,
  );
  expect(readdirSync(backups)).toHaveLength(2);

  const restored = await runCli(['restore', backups, '--data', fresh], { env });
  expect(restored).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 key, 5 certificates with 5 PDFs'),
  });
  const elsewhere = await serveForTest(['--data', fresh], env);
  expect(elsewhere.output().stdout).toContain("Existing API keys can't be shown again");
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
    await runCli(['keys', 'issue', '--scope', 'all', '--data', folder]);
    const none = await runCli(['restore', backups, '--data', temporaryFolder()]);
    expect(none).toMatchObject({ exitCode: 1, stderr: `compliance: ${backups} contains no backups.\n` });
    const { file } = JSON.parse((await runCli(['backup', backups, '--data', folder, '--json'])).stdout);
    writeFileSync(file, 'damaged');
    const damaged = await runCli(['restore', file, '--data', temporaryFolder()]);
    expect(damaged).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing was restored') });
    const empty = await runCli(['backup', backups, '--data', join(folder, 'typo')]);
    expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("doesn't contain a store") });
  });

  it('backs up only to an empty folder or to a folder with backups of the same service', async () => {
    const [folder, backups] = [await folderWithStore(), join(temporaryFolder(), 'backups')];
    const backUpTo = (to: string) => ['backup', to, '--data', folder];
    const made = await runCli([...backUpTo(backups), '--json']);
    await expectRefusal(backUpTo(join(backups, 'backups')), 'is inside another backup folder');
    await expectRefusal(backUpTo(dirname(backups)), "isn't a backup folder, because it contains backups");
    await expectRefusal(backUpTo(folder), "is the service's data folder");
    await expectRefusal(['backup', backups, '--data', await folderWithStore()], 'contains backups of another service');
    const again = await runCli([...backUpTo(backups), '--json']);
    expect([made, again].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(readdirSync(backups)).toHaveLength(2);
  });

  it('prints which backup it restores, and rejects an old backup, a nested backup folder, and a data folder that isn’t empty', async () => {
    const [folder, backups] = [await folderWithStore(), join(temporaryFolder(), 'backups')];
    const target = join(temporaryFolder(), 'restored');
    const madeAt = Date.now() - 9 * 86_400_000;
    const { file } = await backUp({ dataDir: folder }, { folder: backups, clock: () => madeAt });
    await expectRefusal(['restore', backups, '--data', target], `is 9 days old. Nothing was restored.`);
    expect(existsSync(target)).toBe(false);
    const nested = join(backups, 'backups');
    await backUp({ dataDir: folder }, { folder: join(folder, 'new'), clock: Date.now });
    renameSync(join(folder, 'new'), nested);
    await expectRefusal(['restore', backups, '--data', target], `contains another backup folder, ${nested}`);
    await expectRefusal(['restore', file, '--data', folder], 'already contains data (compliance.sqlite)');
    const { exitCode, stdout } = await runCli(['restore', file, '--data', target]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`Reading ${file}, created at 20`)]);
    expect(stdout).toContain(' (9 days ago): 0 keys, 0 certificates with 0 PDFs');
  });

  it('keeps the service’s ID so that a restored service can back up to the same folder', async () => {
    const [folder, backups, restored] = [await folderWithStore(), temporaryFolder(), temporaryFolder()];
    await runCli(['backup', backups, '--data', folder]);
    const { stdout } = await runCli(['restore', backups, '--data', restored]);
    expect(stdout).toMatch(
      / by service svc_[0-9a-f]{16} running release \d+\.\d+\.\d+ with lists current through \d{4}/,
    );
    expect(await runCli(['backup', backups, '--data', restored])).toMatchObject({ exitCode: 0, stderr: '' });
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
