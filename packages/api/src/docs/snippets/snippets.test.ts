import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../operations/operations.gen.ts';
import { served } from '../../testing/served.ts';
import { startService } from '../../testing/service.ts';
import { V0_OPERATIONS } from '../../v0/operations/operations.gen.ts';
import type { Call } from './call.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { node } from './node.ts';
import { python } from './python.ts';

const CLIENTS = fileURLToPath(new URL('../../../../clients', import.meta.url));
const run = promisify(execFile);
const has = (command: string, args: string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  );

/** Every example of every operation, as the documentation could show it. */
const CALLS = [...OPERATIONS, ...V0_OPERATIONS].flatMap((operation: Call['operation']) =>
  operation.examples.map(({ name, request }) => ({
    title: `${operation.id}, ${name}`,
    call: { operation, request: request as Record<string, unknown> },
  })),
);

let service: Awaited<ReturnType<typeof served>>;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await served(await startService());
  folder = await mkdtemp(join(tmpdir(), 'compliance-snippets-'));
  env = {
    ...process.env,
    NODE_OPTIONS: '',
    COMPLIANCE_BASE_URL: service.base,
    COMPLIANCE_API_KEY: await service.issue(),
    PYTHONPATH: join(CLIENTS, 'python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    GOFLAGS: '-mod=mod',
  };
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs what a reader would, in the folder of the tests. */
async function printed(command: string, args: string[]): Promise<unknown> {
  const { stdout } = await run(command, args, { env, cwd: folder });
  return JSON.parse(stdout);
}

/** What the service answers to the same request, bare. */
async function answered({ operation, request }: Call): Promise<unknown> {
  const key = env.COMPLIANCE_API_KEY!;
  return await (await service.ask(operation, request, { Authorization: `Bearer ${key}` })).json();
}

/** A certificate has a number of its own each time, and an example without a date is answered for the day. */
async function expectAnswer(call: Call, said: unknown) {
  const expected = await answered(call);
  if (call.operation.id !== 'entry.gcc.generate') return expect(said).toEqual(expected);
  const { completeness, warnings } = expected as Record<string, unknown>;
  expect(said).toMatchObject({ completeness, warnings, gcc_id: expect.stringMatching(/^[\da-f-]{36}$/) });
}

/** Whether a runtime is on this machine; said in the name of what is skipped where it is not. */
const [withCurl, withPython, withGo] = await Promise.all([
  has('curl', ['--version']),
  has('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']),
  has('go', ['version']),
]);
const named = (language: string, there: boolean) => (there ? language : `${language} (skipped: not on this machine)`);

describe.skipIf(!withCurl)(named('the curl snippet', withCurl), () => {
  it.each(CALLS)('of $title runs as it stands and prints the answer', async ({ call }) => {
    await expectAnswer(call, await printed('sh', ['-c', curl(call)]));
  });
});

describe('the Node.js snippet', () => {
  beforeAll(async () => {
    await mkdir(join(folder, 'node_modules/@compliance'), { recursive: true });
    await symlink(join(CLIENTS, 'node'), join(folder, 'node_modules/@compliance/client'));
  });

  it.each(CALLS)('of $title runs as it stands and prints the answer', async ({ call }) => {
    await writeFile(join(folder, 'snippet.mjs'), node(call));
    await expectAnswer(call, await printed(process.execPath, ['--conditions=@compliance/source', 'snippet.mjs']));
  });
});

describe.skipIf(!withPython)(named('the Python snippet', withPython), () => {
  it.each(CALLS)('of $title runs as it stands and prints the answer', async ({ call }) => {
    await expectAnswer(call, await printed('python3', ['-c', python(call)]));
  });
});

describe.skipIf(!withGo)(named('the Go snippet', withGo), () => {
  // Built together, since a build costs more than a run.
  beforeAll(async () => {
    const client = 'github.com/portfolio-compliance/compliance-go';
    const lines = ['module snippets', 'go 1.21', `require ${client} v0.0.0`, `replace ${client} => ${CLIENTS}/go`];
    await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
    for (const [i, { call }] of CALLS.entries()) {
      await mkdir(join(folder, `go${i}`));
      await writeFile(join(folder, `go${i}`, 'main.go'), go(call));
    }
    await mkdir(join(folder, 'bin'));
    await run('go', ['build', '-o', 'bin/', './...'], { env, cwd: folder });
  });

  it.each(CALLS)('of $title runs as it stands and prints the answer', async ({ call }) => {
    const i = CALLS.findIndex(each => each.call === call);
    await expectAnswer(call, await printed(join(folder, 'bin', `go${i}`), []));
  });

  it('is formatted as gofmt would', async () => {
    const { stdout } = await run('gofmt', ['-l', '.'], { cwd: folder });
    expect(stdout).toBe('');
  });
});

describe('a snippet', () => {
  it('quotes what a shell or a language would take for its own', async () => {
    const operation = OPERATIONS.find(({ id }) => id === 'tariff.hts.lookup') as Call['operation'];
    const call = { operation, request: { codes: [`'"$(touch x)\`\\`, 'ä\u2028</script>'], as_of: '2026-10-01' } };
    if (withCurl) await expectAnswer(call, await printed('sh', ['-c', curl(call)]));
    await writeFile(join(folder, 'hostile.mjs'), node(call));
    await expectAnswer(call, await printed(process.execPath, ['--conditions=@compliance/source', 'hostile.mjs']));
    if (withPython) await expectAnswer(call, await printed('python3', ['-c', python(call)]));
  });
});
