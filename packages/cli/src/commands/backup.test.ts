import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPostgres } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compliance, serving, temporaryFolder } from '../testing/compliance.ts';

const REQUEST = {
  product_info: { name: 'Road Bicycle Helmet', date_of_manufacture: '2026-09-14', place_of_manufacture: 'China' },
  manufacturer: { name: 'Maker', address: '1 Road', contact_email: 'maker@maker.example' },
  testing_lab: { name: 'Lab', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
};

/** A call as the holder of a key makes it. */
async function call(base: string, key: string, path: string, body: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { gcc_id: string; sha256: string } };
}

const generate = (base: string, key: string) => call(base, key, '/api/v1/entry/gcc/generate', REQUEST);

/** Serves a folder, backs it up while it serves, restores it elsewhere and serves that. */
async function moves(env: Record<string, string>): Promise<void> {
  const [folder, backups, fresh] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const service = await serving(['--data', folder]);
  const [key] = /cmpl_live_\w+/.exec(service.output().stdout)!;
  const issued = await Promise.all(Array.from({ length: 5 }, () => generate(service.base, key)));
  const made = await compliance(['backup', backups, '--data', folder]);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  expect(made.stdout).toMatch(/: 1 keys, 5 certificates with 5 PDFs, \d+ audit entries\.\nNo secret is in it/);
  expect(readdirSync(backups)).toHaveLength(2);

  const restored = await compliance(['restore', backups, '--data', fresh], { env });
  expect(restored).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 keys, 5 certificates with 5 PDFs'),
  });
  const elsewhere = await serving(['--data', fresh], env);
  expect(elsewhere.output().stdout).toContain('No key is shown again');
  for (const { body } of issued) {
    const page = await (await fetch(`${elsewhere.base}/gcc/${body.gcc_id}`)).text();
    expect(page).toContain(body.sha256);
    const [, link] = /href="(\/gcc\/[^"]+\/pdf[^"]+)"/.exec(page)!;
    const pdf = await fetch(elsewhere.base + link!.replaceAll('&amp;', '&'));
    expect([pdf.status, pdf.headers.get('ETag')]).toEqual([200, `"sha256-${body.sha256}"`]);
  }
  expect((await generate(elsewhere.base, key)).status).toBe(200);

  const again = await compliance(['restore', backups, '--data', fresh], { env });
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('holds data already') });
}

describe('compliance backup and restore', () => {
  it('move a service that is in use to another folder: certificates verify and keys work', async () => {
    await moves({});
  });

  it('refuse what is no backup, a damaged one, and a place without a store', async () => {
    const [folder, backups] = [temporaryFolder(), temporaryFolder()];
    await compliance(['keys', 'issue', '--data', folder]);
    const none = await compliance(['restore', backups, '--data', temporaryFolder()]);
    expect(none).toMatchObject({ exitCode: 1, stderr: `compliance: ${backups} holds no backup.\n` });
    const { file } = JSON.parse((await compliance(['backup', backups, '--data', folder, '--json'])).stdout);
    writeFileSync(file, 'damaged');
    const damaged = await compliance(['restore', file, '--data', temporaryFolder()]);
    expect(damaged).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing was restored') });
    const empty = await compliance(['backup', backups, '--data', join(folder, 'typo')]);
    expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no store yet') });
  });

  it('say which PDFs are lost, and end with 1', async () => {
    const [folder, backups] = [temporaryFolder(), temporaryFolder()];
    const service = await serving(['--data', folder]);
    const [key] = /cmpl_live_\w+/.exec(service.output().stdout)!;
    const { body } = await generate(service.base, key);
    rmSync(join(folder, 'blobs'), { recursive: true });
    const made = await compliance(['backup', backups, '--data', folder]);
    expect(made).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(body.sha256) });
    const restored = await compliance(['restore', backups, '--data', temporaryFolder()]);
    expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(body.sha256) });
  });
});

await describeWithPostgres('compliance backup and restore', startFresh => {
  it('move a service from SQLite to PostgreSQL', async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    await moves({ DATABASE_URL: url });
  });
});
