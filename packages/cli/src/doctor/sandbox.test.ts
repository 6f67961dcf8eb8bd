import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveForTest, temporaryFolder } from '../testing/run-cli.ts';
import { checkSandbox } from './sandbox.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const isIsolated = 'tool' in inspectSandbox().kernel;

/**
 * Starts `compliance` in a chroot, where the kernel doesn't permit user namespaces. The test itself needs a user
 * namespace to create the chroot.
 */
function startWithoutNamespaces(args: string[]) {
  const root = temporaryFolder();
  const script = 'root=$1; shift; mount --rbind / "$root"; exec chroot "$root" "$@"';
  const node = [process.execPath, '--conditions=@compliance/source', MAIN, ...args];
  const child = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-ec', script, 'sh', root, ...node], {
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return { closed: once(child, 'close'), output: () => output, errors: () => errors };
}

describe('service sandbox', () => {
  it.runIf(isIsolated)(
    'has every sandbox layer on this system: `doctor` lists them, and `serve` prints no warning',
    async () => {
      expect(checkSandbox()).toMatchObject([
        {
          check: 'sandbox',
          status: 'ok',
          found: expect.stringMatching(/Node permissions .* kernel namespaces \(unshare\)/),
        },
      ]);
      const service = await serveForTest(['--data', temporaryFolder()]);
      service.child.kill('SIGINT');
      await service.closed;
      expect(service.output().stdout).not.toContain('Warning');
    },
  );

  it.runIf(isIsolated)(
    'reports incomplete isolation without user namespaces, including the missing layer and the reason, in `serve` and `doctor`',
    async () => {
      const data = join(temporaryFolder(), 'data');
      const service = startWithoutNamespaces(['serve', '--port', '0', '--data', data]);
      await expect
        .poll(service.output, { timeout: 20_000 })
        .toMatch(
          /Warning: Untrusted pages are parsed without kernel isolation \(unshare.*Operation not permitted.*"Isolate the parser"/,
        );
      const doctor = startWithoutNamespaces(['doctor', '--json', '--data', data, '--render', 'on']);
      await doctor.closed;
      const { checks } = JSON.parse(doctor.output());
      expect(checks).toContainEqual({
        check: 'rendering',
        status: 'fail',
        found: expect.stringMatching(
          /can't isolate the browser \(.*Missing layers: network isolation, process isolation/,
        ),
        todo: expect.stringContaining('--render without-namespaces'),
      });
      expect(checks).toContainEqual({
        check: 'sandbox',
        status: 'warn',
        found: expect.stringMatching(
          /without kernel isolation .* Active layers: an empty environment, Node permissions/,
        ),
        todo: expect.stringContaining('user namespaces'),
      });
    },
  );

  it.runIf(isIsolated)('prevents `serve --render on` from starting on a system without user namespaces', async () => {
    const data = join(temporaryFolder(), 'data');
    const service = startWithoutNamespaces(['serve', '--render', 'on', '--port', '0', '--data', data]);
    expect(await service.closed).toEqual([1, null]);
    expect(service.errors()).toMatch(
      /--render on: this system can't isolate the browser .*Missing layers: network isolation, process isolation, file system isolation, unprivileged user\. .*--render without-namespaces/,
    );
  });

  it.skipIf(isIsolated)('makes `serve` print a warning on a system without the full sandbox', async () => {
    const service = await serveForTest(['--data', temporaryFolder()]);
    await expect.poll(() => service.output().stdout, { timeout: 20_000 }).toContain('Warning: Untrusted pages');
  });

  it('warns that workers can use the network if neither the kernel nor Node denies access', () => {
    const warning = sandboxWarning({ kernel: { missing: 'only Linux has namespaces' }, nodeDeniesNetwork: false });
    expect(warning).toEqual({
      found: expect.stringMatching(/only Linux has namespaces.*can't deny network access/),
      todo: expect.stringMatching(/Node 26 or later/),
    });
  });
});
