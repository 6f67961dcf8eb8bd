import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeRuntimes, pythonAtHand, workshop } from '../play/runtimes.ts';
import { startService } from './service.ts';

const CLIENTS = fileURLToPath(new URL('../../..', import.meta.url));
const { folder, close } = workshop();
const service = await startService();
const env = { ...process.env, COMPLIANCE_BASE_URL: service.base, COMPLIANCE_API_KEY: await service.issue('tariff') };
const [python] = await pythonAtHand();
await nodeRuntimes(folder, []);
afterAll(async () => {
  await service.stop();
  close();
});

/** A block of code of a README: the one that holds a mark. */
function block(client: string, mark: string): string {
  const blocks = readFileSync(join(CLIENTS, client, 'README.md'), 'utf8').match(
    /(?<=^```(?:ts|python)\n)[\s\S]*?(?=^```)/gm,
  );
  return blocks!.find(text => text.includes(mark))!;
}

async function runNode(code: string): Promise<string> {
  writeFileSync(join(folder, 'readme.mjs'), code);
  return (await promisify(execFile)(process.execPath, ['readme.mjs'], { cwd: folder, env })).stdout;
}

async function runPython(code: string): Promise<string> {
  const place = { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  return (await promisify(execFile)(python!.command, ['-c', code], { env: { ...env, ...place } })).stdout;
}

const ANSWERED = /^7318\.15\.2061 hit .+\n0101\.21\.00 \w+ .+\n$/;

describe('the README of the Node client', () => {
  it('starts with lines that get a result from the service', async () => {
    expect(await runNode(block('node', 'new Compliance();'))).toMatch(ANSWERED);
  });
});

describe.skipIf(!python)(`the README of the Python client${python ? '' : ': no Python on this machine'}`, () => {
  it('starts with lines that get a result from the service', async () => {
    expect(await runPython(block('python', 'import compliance'))).toMatch(ANSWERED);
  });
});
