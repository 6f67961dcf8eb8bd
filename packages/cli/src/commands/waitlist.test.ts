import { openStore } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { compliance, temporaryFolder } from '../testing/compliance.ts';

/** A data folder whose waitlist holds requests of these companies. */
async function folderWith(...companies: string[]): Promise<string> {
  const dataDir = temporaryFolder();
  const store = await openStore({ dataDir, clock: Date.now });
  for (const company of companies) {
    const form = {
      useCase: 'Check our catalog\nevery week',
      expectedVolume: '2,000 a month',
      email: 'buyer@acme.test',
    };
    await store.waitlist.ask({ company, ...form });
  }
  await store.close();
  return dataDir;
}

describe('compliance waitlist', () => {
  it('lists, approves with a key that is shown once, and declines', async () => {
    const data = ['--data', await folderWith('First', 'Second', 'Third')];
    const waitlist = async (...args: string[]) =>
      JSON.parse((await compliance(['waitlist', ...args, ...data, '--json'])).stdout);
    const ids = (await waitlist('list')).map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(3);

    const founding = await waitlist('approve', ids[0], '--founding', '--scope', 'tariff');
    expect(founding).toMatchObject({ scope: 'tariff', note: 'First; delegate:on' });
    expect(founding.key).toMatch(/^cmpl_live_tariff_/);
    const plain = await compliance(['waitlist', 'approve', ids[1], ...data]);
    expect(plain.stdout).toMatch(
      /^cmpl_live_all_\w+\n\nShown once; keep it safe\. Id key_\w+, scope all, note "Second"\.\n$/,
    );
    const declined = await compliance(['waitlist', 'decline', ids[2], ...data]);
    expect(declined.stdout).toBe(`Declined ${ids[2]} (Third).\n`);

    expect(await waitlist('list')).toEqual([]);
    expect(await waitlist('list', '--status', 'approved')).toHaveLength(2);
    const again = await compliance(['waitlist', 'approve', ids[2], ...data]);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('was declined already') });
    const unknown = await compliance(['waitlist', 'decline', 'req_nothing', ...data]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('req_nothing') });
  });

  it('shows what a stranger wrote so that it steers no terminal', async () => {
    const data = ['--data', await folderWith('Evil \u001b[2J\u001b]0;title\u0007\u202e')];
    const { stdout } = await compliance(['waitlist', 'list', ...data]);
    expect(stdout).toContain('Evil \ufffd[2J');
    expect(stdout).toContain('  Check our catalog\n  every week\n');
    for (const steering of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(steering);
  });

  it('says when nobody waits', async () => {
    const { stdout } = await compliance(['waitlist', 'list', '--data', temporaryFolder()]);
    expect(stdout).toBe('Nobody is waiting.\n');
  });
});

describe('compliance audit', () => {
  it('shows who changed what, newest first, by pages', async () => {
    const folder = await folderWith('First');
    const data = ['--data', folder];
    const [{ id }] = JSON.parse((await compliance(['waitlist', 'list', ...data, '--json'])).stdout);
    await compliance(['waitlist', 'approve', id, ...data]);
    const shown = await compliance(['audit', ...data]);
    expect(shown.stdout).toMatch(/waitlist\.approve[\s\S]*key\.issue/);
    expect(shown.stdout).not.toContain('@');
    const page = await compliance(['audit', '--limit', '1', ...data]);
    const [, next] = /Older entries: compliance audit --before (\w+)/.exec(page.stdout)!;
    const older = JSON.parse((await compliance(['audit', '--before', next!, '--json', ...data])).stdout);
    expect(older.map(({ action }: { action: string }) => action)).toEqual(['key.issue']);
    expect(await compliance(['audit', '--limit', '0', ...data])).toMatchObject({ exitCode: 2 });
  });
});
