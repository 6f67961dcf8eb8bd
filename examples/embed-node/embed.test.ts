import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

it('prints the output shown in the example’s README and writes the certificate', async () => {
  const { folder, run } = await copyOf('embed-node');
  for (const shown of await shownIn('embed-node')) {
    const { stdout, stderr } = await run(shown.command);
    const [got, wanted] = compared(stdout, shown);
    expect([got, stderr]).toEqual([wanted, '']);
  }
  expect((await readFile(join(folder, 'certificate.pdf'))).subarray(0, 8).toString()).toBe('%PDF-1.7');
});
