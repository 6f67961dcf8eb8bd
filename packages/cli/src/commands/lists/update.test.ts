import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRepository } from '../../testing/lists-repository.ts';
import { expectRefusal, runCli, serveForTest, temporaryFolder } from '../../testing/run-cli.ts';

/** Reads a process's list version from its home page, which isn't rate limited. */
const versionOn = async (base: string) => {
  const response = await fetch(base, { headers: { Accept: 'application/json' } });
  const { lists } = (await response.json()) as { lists: { version: string } };
  return { status: response.status, version: lists.version };
};

const lookUp = async (base: string, key: string) => {
  const response = await fetch(`${base}/api/v1/tariff/hts/lookup`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"codes":["9401.61.4011"],"as_of":"2026-12-24"}',
  });
  const { results, list } = (await response.json()) as { results: { status: string }[]; list: { version: string } };
  return { status: response.status, version: list.version, result: results[0]!.status };
};

describe('compliance lists update', () => {
  it('switches two running processes to a new data set within 5 seconds, without a failed request', async () => {
    const { repository, root } = createRepository('2026.12.1');
    const data = join(temporaryFolder(), 'data');
    const first = await serveForTest(['--data', data]);
    const services = [first, await serveForTest(['--data', data])];
    const [key] = /cmpl_live_\w+/.exec(first.output().stdout)!;
    const bundled = (await versionOn(first.base)).version;

    const statuses = new Set<number>();
    const results = new Set<string>();
    const changedAt: number[] = [];
    let isRunning = true;
    const load = services.map(async ({ base }, index) => {
      for (let request = 0; isRunning; request++) {
        // Requests with a key are limited to 100 per minute, so most requests don't use the key.
        const response = request % 20 === 0 ? await lookUp(base, key) : await versionOn(base);
        const { status, version } = response;
        statuses.add(status);
        if ('result' in response) results.add(`${version} ${response.result}`);
        if (version === '2026.12.1') changedAt[index] ??= performance.now();
        else expect([version, changedAt[index]]).toEqual([bundled, undefined]);
        await wait(10);
      }
    });
    const updated = await runCli(['lists', 'update', '--from', repository, '--root', root, '--data', data]);
    const installedAt = performance.now();
    expect(updated.stdout).toBe('Data set 2026.12.1 installed. The lists are current through 2026-12-31.\n');
    while (changedAt.filter(Boolean).length < 2 && performance.now() - installedAt < 10_000) await wait(20);
    isRunning = false;
    await Promise.all(load);
    expect(changedAt.map(at => at - installedAt < 5000)).toEqual([true, true]);
    expect(statuses).toEqual(new Set([200]));

    for (const { base } of services) {
      results.add(
        Object.values(await lookUp(base, key))
          .slice(1)
          .join(' '),
      );
      const ready = await (await fetch(`${base}/readyz`)).json();
      expect(ready).toMatchObject({ checks: { lists: { version: expect.stringMatching(/^2026\./) } } });
      const response = await fetch(`${base}/api/v1/lists`, { headers: { Authorization: `Bearer ${key}` } });
      expect(await response.json()).toMatchObject({
        version: '2026.12.1',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect([...results].sort()).toEqual([`${bundled} hit`, '2026.12.1 adjacent'].sort());
    const doctor = await runCli(['doctor', '--data', data, '--json']);
    expect(doctor.stdout).toContain('The installed data set 2026.12.1 is current through 2026-12-31');
  });

  it('prints the reason when it refuses an update from a repository', async () => {
    const { repository, root } = createRepository('2026.12.1');
    const data = temporaryFolder();
    await expectRefusal(['lists', 'update', '--from', repository, '--data', data], 'Update refused (no_root)');
    await expectRefusal(['lists', 'update', '--from', '/nonexistent', '--root', root, '--data', data], 'unreachable');
    writeFileSync(join(repository, 'metadata/1.snapshot.json'), '{}');
    const refused = ['lists', 'update', '--from', repository, '--root', root, '--data', data];
    await expectRefusal(refused, 'Update refused (tampered)');
    const printed = await runCli([...refused, '--json']);
    expect([printed.exitCode, JSON.parse(printed.stdout)]).toMatchObject([1, { error: { reason: 'tampered' } }]);
  });
});
