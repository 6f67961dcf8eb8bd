import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { obstacle } from '../scripts/fuzz.ts';

const FUZZ = fileURLToPath(new URL('../scripts/fuzz.ts', import.meta.url));

const missing = obstacle();
if (missing && process.env.CI) throw new Error(missing);

describe.skipIf(missing)(`requests made from the OpenAPI documents${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('find nothing in v1 and v0 that the documents do not say', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--conditions=@compliance/source', FUZZ, '--max-examples', '25', '--generation-deterministic'],
    ]);
    expect(stdout).toMatch(/\d{3} requests; v1 held, v0 held\./);
  });
});
