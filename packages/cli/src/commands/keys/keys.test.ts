import { openStore } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../../testing/run-cli.ts';

describe('compliance keys', () => {
  it('issues a key that is shown only once, rotates it, and revokes it', async () => {
    const data = ['--data', temporaryFolder()];
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
    const { stdout } = await runCli(['keys', 'issue', '--data', temporaryFolder()]);
    expect(stdout).toMatch(
      /^cmpl_live_all_\w+\n\nThis key is shown only once\. Store it safely\. ID key_\w+, scope all, no note\.\n$/,
    );
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
    expect((await runCli(['keys', 'usage', record.id, ...data])).stdout).toMatch(
      /\d{4}-\d\d-\d\d +1 +tariff\.hts\.lookup/,
    );
    const none = await runCli(['keys', 'usage', 'key_nothing', '--days', '7', ...data]);
    expect(none.stdout).toBe('No requests in the last 7 days.\n');
  });

  it('rejects an unknown key or scope with a helpful message', async () => {
    const data = ['--data', temporaryFolder()];
    expect(await runCli(['keys', 'revoke', 'key_nothing', ...data])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('key_nothing'),
    });
    expect(await runCli(['keys', 'issue', '--scope', 'gold', ...data])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pixel, entry, tariff, all'),
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
