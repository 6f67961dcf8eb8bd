import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWithStorefronts } from '@compliance/client-vectors/storefronts';
import { afterAll, describe, expect, it } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

const clients = fileURLToPath(new URL('../../packages/clients', import.meta.url));
const service = await startWithStorefronts();
afterAll(service.stop);

/** Environment variables that point the examples to the test service and make `pip install` unnecessary. */
const env = {
  COMPLIANCE_BASE_URL: service.base,
  COMPLIANCE_API_KEY: await service.issue('all'),
  PYTHONPATH: join(clients, 'python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};
const MODULE = `module example
go 1.21
require github.com/portfolio-compliance/compliance-go v0.1.0
replace github.com/portfolio-compliance/compliance-go => ${clients}/go
`;

const missing = (tool: string) =>
  promisify(execFile)(tool, ['version']).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );

describe.each(await shownIn('three-calls'))('$command', shown => {
  const [tool] = shown.command.split(' ');

  it('prints the output shown in the example’s README', async context => {
    if (await missing(tool!)) {
      if (process.env.CI) expect.fail(`${tool} is not installed`);
      context.skip(`${tool} is not installed`);
    }
    const { folder, run } = await copyOf('three-calls');
    if (tool === 'go') await writeFile(join(folder, 'go.mod'), MODULE);
    const { stdout, stderr } = await run(shown.command, env);
    const [got, wanted] = compared(stdout, shown);
    expect([got, stderr]).toEqual([wanted, '']);
    // The first Go build on a machine also compiles Go's standard library.
  }, 180_000);
});
