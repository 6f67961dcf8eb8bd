import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { folderWithStore, runCli, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance keys', () => {
  it('issues a key that is shown only once, rotates it, and revokes it', async () => {
    const data = ['--data', await folderWithStore()];
    const keys = async (...args: string[]) => JSON.parse((await runCli(['keys', ...args, ...data, '--json'])).stdout);

    const issued = await keys('issue', '--scope', 'tariff', '--note', 'Acme delegate:on');
    expect(issued).toMatchObject({
      key: expect.stringMatching(/^cmpl_live_tariff_/),
      scope: 'tariff',
      status: 'active',
    });
    const successor = await keys('rotate', issued.id, '--overlap', '1h');
    expect(successor).toMatchObject({ family: issued.family, note: 'Acme delegate:on', scope: 'tariff' });
    expect(await keys('revoke', issued.id)).toMatchObject({ id: issued.id, status: 'revoked' });

    expect((await keys('list')).map((key: { id: string }) => key.id)).toEqual([successor.id]);
    expect(await keys('list', '--all')).toHaveLength(2);
    const shown = await runCli(['keys', 'list', '--all', ...data]);
    expect(shown.stdout).toContain(successor.id);
    expect(shown.stdout).not.toContain(issued.key);
    expect(shown.stdout).not.toContain(successor.key);
  });

  it('prints a reminder to store the new key safely', async () => {
    const { stdout } = await runCli(['keys', 'issue', '--scope', 'all', '--data', await folderWithStore()]);
    expect(stdout).toMatch(
      /^cmpl_live_all_\w+\n\nThis key is shown only once\. Store it safely\. ID key_\w+, scope all, no note\.\n$/,
    );
  });

  it('writes a new key to a file that only its owner can read, and doesn’t print the key', async () => {
    const data = ['--data', await folderWithStore()];
    const file = join(temporaryFolder(), 'key');
    const issued = await runCli([
      'keys',
      'issue',
      '--scope',
      'all',
      '--note',
      'delegate:on',
      '--output-file',
      file,
      ...data,
    ]);
    expect(issued).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^The key is in .+ ID key_\w+, /),
    });
    const key = readFileSync(file, 'utf8');
    expect(key).toMatch(/^cmpl_live_all_\w{38}\n$/);
    expect(issued.stdout).not.toContain(key.trim());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = JSON.parse((await runCli(['keys', 'list', '--all', '--json', ...data])).stdout);
    const [{ id }] = before;
    for (const args of [
      ['issue', '--scope', 'all'],
      ['rotate', id],
    ]) {
      expect(await runCli(['keys', ...args, '--output-file', file, ...data])).toMatchObject({
        exitCode: 1,
        stderr: `compliance: Can't write the key to ${file} (EEXIST). Specify a file that doesn't exist yet.\n`,
      });
    }
    expect(readFileSync(file, 'utf8')).toBe(key);
    expect(JSON.parse((await runCli(['keys', 'list', '--all', '--json', ...data])).stdout)).toEqual(before);
  });

  it('removes the output file if the key couldn’t be issued', async () => {
    const file = join(temporaryFolder(), 'key');
    const outcome = await runCli([
      'keys',
      'issue',
      '--scope',
      'all',
      '--output-file',
      file,
      '--data',
      temporaryFolder(),
    ]);
    expect([outcome.exitCode, existsSync(file)]).toEqual([1, false]);
  });

  it('warns about a key without delegate access and prints the command that grants it', async () => {
    const data = ['--data', await folderWithStore()];
    const issued = await runCli(['keys', 'issue', '--scope', 'all', '--note', "Bob's shop", ...data]);
    const [, id, note] = /compliance keys update (\w+) --note '(.+)'\n$/.exec(issued.stderr)!;
    expect(issued.stderr).toContain('403');
    const updated = await runCli(['keys', 'update', id!, '--note', note!.replaceAll("'\\''", "'"), ...data]);
    expect(updated).toMatchObject({ stderr: '', stdout: expect.stringContaining('"Bob\'s shop; delegate:on"') });
    const rotated = await runCli(['keys', 'rotate', id!, ...data]);
    expect(rotated).toMatchObject({ exitCode: 0, stderr: '' });
    const withdrawn = await runCli(['keys', 'update', id!, '--note', '', ...data]);
    expect(withdrawn.stderr).toContain(`compliance keys update ${id} --note delegate:on\n`);
  });

  it('lists keys legibly in an 80-column terminal', async () => {
    const data = ['--data', await folderWithStore()];
    await runCli(['keys', 'issue', '--scope', 'tariff', '--note', 'Acme; delegate:on', ...data]);
    const { stdout } = await runCli(['keys', 'list', ...data], { env: { COLUMNS: '80' } });
    expect(stdout).toMatch(
      /^ID +Scope +Status +Issued +Last used *\nkey_\w{29} +tariff +active +\d{4}-\d\d-\d\d +– *\n {2}cmpl_live_tariff_\w{6}…\w{4} {2}Acme; delegate:on *\n$/,
    );
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });

  it('updates a key’s scope and note and shows its usage', async () => {
    const dataDir = temporaryFolder();
    const store = await openStore({ dataDir, clock: Date.now });
    const { record } = await store.keys.issue({ scope: 'all', note: 'Acme', actor: 'test' });
    await store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' });
    await store.close();
    const data = ['--data', dataDir];
    const updated = await runCli(['keys', 'update', record.id, '--note', 'Acme delegate:on', ...data]);
    expect(updated.stdout).toBe(`Updated ${record.id}: scope all, note "Acme delegate:on".\n`);
    expect(await runCli(['keys', 'update', record.id, ...data])).toMatchObject({ exitCode: 2 });
    const other = JSON.parse(
      (await runCli(['keys', 'issue', '--scope', 'all', '--note', 'Other', '--json', ...data])).stdout,
    );
    for (const args of [[], [record.id]]) {
      const shown = await runCli(['keys', 'usage', ...args, ...data]);
      expect(shown.stdout).toMatch(
        /^key_\w{29} {2}cmpl_live_all_\w{6}…\w{4} {2}Acme delegate:on\n\d{4}-\d\d-\d\d +1 +tariff\.hts\.lookup\n$/,
      );
    }
    const none = await runCli(['keys', 'usage', other.id, '--days', '7', ...data]);
    expect(none.stdout).toBe('No requests in the last 7 days.\n');
    expect(await runCli(['keys', 'usage', 'key_nothing', ...data])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No key has the ID key_nothing'),
    });
  });

  it('rejects an unknown key or scope with a helpful message', async () => {
    const data = ['--data', await folderWithStore()];
    expect(await runCli(['keys', 'revoke', 'key_nothing', ...data])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('key_nothing'),
    });
    expect(await runCli(['keys', 'issue', '--scope', 'gold', ...data])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pixel, render, entry, tariff, all'),
    });
  });

  it('reports an unreachable database without showing the database password', async () => {
    const env = { DATABASE_URL: 'postgres://keeper:s3cret-pw@127.0.0.1:1/none' };
    const { exitCode, stderr, stdout } = await runCli(['keys', 'list'], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("doesn't respond");
    expect(stderr + stdout).not.toContain('s3cret-pw');
  });
});
