import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { installedPythons } from './runner/runtimes.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const pythons = await installedPythons();

describe.skipIf(pythons.length === 0)('the async Python client', () => {
  it.each(pythons)(
    'cancels a call even if the response arrives at the same time (Python $version)',
    async ({ command }) => {
      const env = { ...process.env, PYTHONPATH: path('../../python/src'), PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await promisify(execFile)(command, ['-W', 'error', path('../drivers/cancellation.py')], {
        env,
      });
      expect(stdout).toBe('canceled\n');
    },
  );
});
