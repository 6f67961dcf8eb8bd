import { openStore } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { compliance, temporaryFolder } from '../testing/compliance.ts';

describe('compliance keys', () => {
  it('issues a key that is shown once, rotates it and revokes it', async () => {
    const data = ['--data', temporaryFolder()];
    const keys = async (...args: string[]) =>
      JSON.parse((await compliance(['keys', ...args, ...data, '--json'])).stdout);

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
    const shown = await compliance(['keys', 'list', '--all', ...data]);
    expect(shown.stdout).toContain(successor.id);
    expect(shown.stdout).not.toContain(issued.key);
    expect(shown.stdout).not.toContain(successor.key);
  });

  it('says in words how a key is kept', async () => {
    const { stdout } = await compliance(['keys', 'issue', '--data', temporaryFolder()]);
    expect(stdout).toMatch(/^cmpl_live_all_\w+\n\nShown once; keep it safe\. Id key_\w+, scope all, note none\.\n$/);
  });

  it('changes scope and note, and shows how a key was used', async () => {
    const dataDir = temporaryFolder();
    const store = await openStore({ dataDir, clock: Date.now });
    const { record } = await store.keys.issue({ scope: 'all', note: 'Acme', actor: 'test' });
    await store.usage.record({ keyId: record.id, operation: 'tariff.hts.lookup' });
    await store.close();
    const data = ['--data', dataDir];
    const updated = await compliance(['keys', 'update', record.id, '--note', 'Acme delegate:on', ...data]);
    expect(updated.stdout).toBe(`Updated ${record.id}: scope all, note "Acme delegate:on".\n`);
    expect(await compliance(['keys', 'update', record.id, ...data])).toMatchObject({ exitCode: 2 });
    expect((await compliance(['keys', 'usage', record.id, ...data])).stdout).toMatch(
      /\d{4}-\d\d-\d\d +1 +tariff\.hts\.lookup/,
    );
    const none = await compliance(['keys', 'usage', 'key_nothing', '--days', '7', ...data]);
    expect(none.stdout).toBe('No requests in the last 7 days.\n');
  });

  it('says what to do when the key or the scope is not known', async () => {
    const data = ['--data', temporaryFolder()];
    expect(await compliance(['keys', 'revoke', 'key_nothing', ...data])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('key_nothing'),
    });
    expect(await compliance(['keys', 'issue', '--scope', 'gold', ...data])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pixel, entry, tariff, all'),
    });
  });

  it('names a database that does not answer without its password', async () => {
    const env = { DATABASE_URL: 'postgres://keeper:s3cret-pw@127.0.0.1:1/none' };
    const { exitCode, stderr, stdout } = await compliance(['keys', 'list'], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('does not answer');
    expect(stderr + stdout).not.toContain('s3cret-pw');
  });
});
