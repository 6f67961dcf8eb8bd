import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

it('prints the output shown in the example’s README and writes files only for targets with complete data', async () => {
  const { folder, run } = await copyOf('efiling');
  const [shown] = await shownIn('efiling');
  const { stdout, stderr } = await run(shown!.command);
  const [got, wanted] = compared(stdout, shown!);
  expect([got, stderr]).toEqual([wanted, '']);
  expect(await readFile(join(folder, 'fedex-reference.json'), 'utf8')).toContain('"certifierId": "CASCADE-CYCLE"');
  await expect(readFile(join(folder, 'registry.csv'))).rejects.toThrow('ENOENT');
});
