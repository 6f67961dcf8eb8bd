import { openStore } from '@compliance/store';
import { describe, expect, it } from 'vitest';
import { folderWithStore, runCli, temporaryFolder } from '../../testing/run-cli.ts';

/** Creates a data folder with a waitlist request from each company. */
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
  it('lists, approves, and declines requests, and shows a new key only once', async () => {
    const data = ['--data', await folderWith('First', 'Second', 'Third')];
    const waitlist = async (...args: string[]) =>
      JSON.parse((await runCli(['waitlist', ...args, ...data, '--json'])).stdout);
    const ids = (await waitlist('list')).map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(3);

    const founding = await waitlist('approve', ids[0], '--founding', '--scope', 'tariff');
    expect(founding).toMatchObject({ scope: 'tariff', note: 'First; delegate:on' });
    expect(founding.key).toMatch(/^cmpl_live_tariff_/);
    const approved = await runCli(['waitlist', 'approve', ids[1], ...data]);
    expect(approved.stdout).toMatch(
      /^cmpl_live_all_\w+\n\nThis key is shown only once\. Store it safely\. ID key_\w+, scope all, note "Second"\.\n$/,
    );
    const declined = await runCli(['waitlist', 'decline', ids[2], ...data]);
    expect(declined.stdout).toBe(`Declined ${ids[2]} (Third).\n`);

    expect(await waitlist('list')).toEqual([]);
    expect(await waitlist('list', '--status', 'approved')).toHaveLength(2);
    const again = await runCli(['waitlist', 'approve', ids[2], ...data]);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('was already declined') });
    const unknown = await runCli(['waitlist', 'decline', 'req_nothing', ...data]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('req_nothing') });
  });

  it('strips control characters from request text', async () => {
    const data = ['--data', await folderWith('Evil \u001b[2J\u001b]0;title\u0007\u202e')];
    const { stdout } = await runCli(['waitlist', 'list', ...data]);
    expect(stdout).toContain('Evil \ufffd[2J');
    expect(stdout).toContain('  Check our catalog\n  every week\n');
    for (const control of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(control);
  });

  it('reports an empty waitlist', async () => {
    const { stdout } = await runCli(['waitlist', 'list', '--data', await folderWithStore()]);
    expect(stdout).toBe('No waiting requests.\n');
  });
});

describe('compliance audit', () => {
  it('lists changes with their actors one page at a time, newest first', async () => {
    const folder = await folderWith('First');
    const data = ['--data', folder];
    const [{ id }] = JSON.parse((await runCli(['waitlist', 'list', ...data, '--json'])).stdout);
    await runCli(['waitlist', 'approve', id, ...data]);
    const shown = await runCli(['audit', ...data]);
    expect(shown.stdout).toMatch(/waitlist\.approve[\s\S]*key\.issue/);
    expect(shown.stdout).not.toContain('@');
    const page = await runCli(['audit', '--limit', '1', ...data]);
    const [, next] = /To show older entries, run: compliance audit --before (\w+)/.exec(page.stdout)!;
    const older = JSON.parse((await runCli(['audit', '--before', next!, '--json', ...data])).stdout);
    expect(older.map(({ action }: { action: string }) => action)).toEqual(['key.issue']);
    expect(await runCli(['audit', '--limit', '0', ...data])).toMatchObject({ exitCode: 2 });
  });
});
