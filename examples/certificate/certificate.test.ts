import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '@compliance/client-vectors/service';
import { expect, it, onTestFinished } from 'vitest';
import { compared, copyOf, shownIn } from '../testing/example.ts';

it('prints the output shown in the example’s README and returns the same certificate on a second run', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  const env = { COMPLIANCE_BASE_URL: service.base, COMPLIANCE_API_KEY: await service.issue('entry') };
  const { folder, run } = await copyOf('certificate');
  const [shown] = await shownIn('certificate');
  const first = await run(shown!.command, env);
  const [got, wanted] = compared(first.stdout, shown!);
  expect([got, first.stderr]).toEqual([wanted, '']);

  const file = join(folder, 'certificate.pdf');
  const pdf = await readFile(file);
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7');
  const verification = /http:\S+/.exec(first.stdout)![0];
  expect(await (await fetch(verification)).text()).toContain('Cascade Cycle Imports LLC');

  expect((await run(shown!.command, env)).stdout).toBe(first.stdout);
  expect(await readFile(file)).toEqual(pdf);
});

it('prints the service’s error message if the key doesn’t have the entry scope', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  const env = { COMPLIANCE_BASE_URL: service.base, COMPLIANCE_API_KEY: await service.issue('tariff') };
  const { stderr, exitCode } = await (await copyOf('certificate')).run('node issue.mjs helmet.json out.pdf', env);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('PermissionError: 403 scope');
  expect(stderr).not.toContain(env.COMPLIANCE_API_KEY);
});
