import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { buildFolder, installedPythons, nodeRuntimes } from '../runner/runtimes.ts';
import { startService } from './service.ts';

const CLIENTS = fileURLToPath(new URL('../../..', import.meta.url));
const { folder, close } = buildFolder();
const service = await startService();
const env = { ...process.env, COMPLIANCE_BASE_URL: service.base, COMPLIANCE_API_KEY: await service.issue('tariff') };
const [python] = await installedPythons();
await nodeRuntimes(folder, []);
afterAll(async () => {
  await service.stop();
  close();
});

/** Returns the README code block that contains the given text. */
function codeBlock(client: string, text: string): string {
  const blocks = readFileSync(join(CLIENTS, client, 'README.md'), 'utf8').match(
    /(?<=^```(?:ts|python)\n)[\s\S]*?(?=^```)/gm,
  );
  return blocks!.find(block => block.includes(text))!;
}

async function runNode(code: string): Promise<string> {
  writeFileSync(join(folder, 'readme.mjs'), code);
  return (await promisify(execFile)(process.execPath, ['readme.mjs'], { cwd: folder, env })).stdout;
}

async function runPython(code: string): Promise<string> {
  const pythonEnv = { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  return (await promisify(execFile)(python!.command, ['-c', code], { env: { ...env, ...pythonEnv } })).stdout;
}

const EXPECTED = /^7318\.15\.2061 hit .+\n0101\.21\.00 \w+ .+\n$/;

describe('Node client README', () => {
  it('includes a working example that looks up codes', async () => {
    expect(await runNode(codeBlock('node', 'new Compliance();'))).toMatch(EXPECTED);
  });
});

describe.skipIf(!python)(`Python client README${python ? '' : ' (skipped: Python is not installed)'}`, () => {
  it('includes a working example that looks up codes', async () => {
    expect(await runPython(codeBlock('python', 'import compliance'))).toMatch(EXPECTED);
  });
});
