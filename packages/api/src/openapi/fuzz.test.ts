import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { installSchemathesis } from '../../scripts/fuzz.ts';

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.ts', import.meta.url));

const FUZZ_TIMEOUT_MS = 600_000;

const missing = installSchemathesis();
if (missing && process.env.CI) throw new Error(missing);

describe.skipIf(missing)(
  `requests generated from the OpenAPI documents${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    it(
      'returns only documented responses from v1 and v0',
      async () => {
        const args = ['--conditions=@compliance/source', FUZZ, '--max-examples', '25', '--generation-deterministic'];
        const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: FUZZ_TIMEOUT_MS }).catch(
          error => {
            throw error.killed ? new Error(`The fuzzer didn't finish within ${FUZZ_TIMEOUT_MS / 1000} s.`) : error;
          },
        );
        expect(stdout).toMatch(/\d{3} requests; v1 passed, v0 passed\./);
      },
      2 * FUZZ_TIMEOUT_MS,
    );
  },
);
