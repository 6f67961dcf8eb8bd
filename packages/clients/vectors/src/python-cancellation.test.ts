import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { installedPythons, PYTHON_ENV } from './runner/runtimes.ts';

const driver = fileURLToPath(new URL('../drivers/cancellation.py', import.meta.url));
const pythons = await installedPythons();
const isMissing = pythons.length === 0;

describe.skipIf(isMissing)(`the async Python client${isMissing ? ' (skipped: Python is not installed)' : ''}`, () => {
  it.each(pythons)(
    'cancels a call even if the response arrives at the same time (Python $version)',
    async ({ command }) => {
      const env = { ...process.env, ...PYTHON_ENV };
      const { stdout } = await promisify(execFile)(command, ['-W', 'error', driver], { env });
      expect(stdout).toBe('canceled\n');
    },
  );
});
