import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compared, copyWithCommand, shownIn } from '../testing/example.ts';

it('prints the output shown in the example’s README and creates only one certificate per product', async () => {
  const { folder, run } = await copyWithCommand('childrens-catalog');
  for (const shown of await shownIn('childrens-catalog')) {
    const { stdout, stderr } = await run(shown.command);
    const [got, wanted] = compared(stdout + stderr, shown);
    expect(got).toBe(wanted);
  }
  const files = await readdir(join(folder, 'certificates'));
  expect(files.filter(name => name.endsWith('.pdf')).sort()).toEqual(['TR-12.pdf', 'TR-13.pdf', 'TR-14.pdf']);
});
